/*
 * clipboard.mjs - copies texts and pictures, and says that it has, or that the browser does not allow it.
 */
import { complain, toast } from './dom.mjs';
import { t } from './texts.mjs';

async function copy(write, what) {
  try {
    await write();
    toast(t('copied', { what }));
  } catch {
    complain(t('copy.refused'));
  }
}

export const copyText = (text, what) => copy(() => navigator.clipboard.writeText(text), what);
/** `png` is the promise of a picture. */
export const copyPicture = (png) => copy(() => navigator.clipboard.write([new ClipboardItem({ 'image/png': png() })]), t('copied.picture'));
