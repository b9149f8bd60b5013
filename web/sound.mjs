/*
 * sound.mjs - a short knock for a move, a lower one for a capture, a ring for check: made by the browser, no files. Off unless the
 * settings say otherwise.
 */
const KINDS = { move: [220, 0.05], capture: [150, 0.08], check: [520, 0.12] }; // hertz and seconds

export function moveSounds(doc, look) {
  let context = null; // browsers want a press or a key first, so it is made with the first sound
  let ply = doc.view?.ply ?? 0;

  function play(kind) {
    const [pitch, length] = KINDS[kind];
    context ??= new AudioContext();
    const [tone, loudness] = [context.createOscillator(), context.createGain()];
    tone.type = 'triangle';
    tone.frequency.setValueAtTime(pitch, context.currentTime);
    loudness.gain.setValueAtTime(0.25, context.currentTime);
    loudness.gain.exponentialRampToValueAtTime(0.001, context.currentTime + length);
    tone.connect(loudness).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + length);
  }

  doc.addEventListener('change', ({ detail }) => {
    const before = ply;
    ply = doc.view?.ply ?? 0;
    const isStep = detail.kind === 'move' || (detail.kind === 'walk' && ply === before + 1);
    if (!look.settings.sounds || !isStep || !doc.view?.last) return;
    const { san } = doc.view.last;
    play(/[+#]/.test(san) ? 'check' : san.includes('x') ? 'capture' : 'move');
  });
}
