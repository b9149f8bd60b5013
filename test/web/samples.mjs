/*
 * samples.mjs - games that several tests of the page open.
 */
/** Two games whose every notation is known. */
export const GAMES = {
  attack: {
    san: 'e4 e5 h3 d5 exd5 Bc5 Bc4 c6 Nc3 Nf6 d3 a5 Bg5 Nbd7 dxc6 bxc6 Nf3 O-O O-O h6 Bh4 Qc7 d4 exd4 Nxd4 Bd6 Nf5 Bh2+ '
      + 'Kh1 Ne5 Bb3 Ba6 Re1 Ng6 Bxf6 gxf6 Qh5',
    fen: 'r4rk1/2q2p2/b1p2pnp/p4N1Q/8/1BN4P/PPP2PPb/R3R2K b - - 1 19',
  },
  mate: {
    san: 'e4 h5 d4 a6 Nc3 h4 Bg5 Nc6 d5 e5 Bxd8 b6 Bxc7 Nge7 dxc6 f6 Nd5 a5 cxd7+ Kxd7 Bb5+ Ke6 Nf4+ Kf7 Bc4+ Be6 Bxe6+ '
      + 'Ke8 Qd8+ Rxd8 Bxd8 Ng6 Nxg6 a4 O-O-O Bc5 Nxh8 Bd4 Bc7 Ke7 Bf5 b5 Nf3 a3 Nxd4 g6 Nxg6+ Ke8 Nxb5 axb2+ Kxb2 Kf7 '
      + 'Rd7+ Ke8 Re7#',
    base64: '0kPfzjIQ5qfn6eBSjbMceDJRDKGMbSNVqbQYSLEL9ZLUblUNZiCUiUNE7DADKDMWlWYg86FaWHajDKEMUdRZ+tgotjOWHWMEjZox6xEN7LNELM',
  },
};

/** More moves than fit into the list of moves. */
export const LONG = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 '
  + '13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 21. Ra3 Rb8 *';

/** Ratings, clocks, evaluations, arrows and squares. */
export const ANNOTATED = '[White "Ada"]\n[Black "Grace"]\n[WhiteElo "2345"]\n[Date "1999.01.20"]\n[Result "1-0"]\n\n'
  + '1. e4 {[%eval 0.3] [%clk 1:00:05]} e5 {[%eval 0.2] [%clk 0:59:00]} 2. Nf3 $14 {[%eval 0.5] [%cal Gf3e5,Rd2d4][%csl Ye5] look} '
  + 'd6 {[%eval 1.5]} 3. d4 {[%eval #4]} 1-0';

/** Players with long names, evaluations, clocks, a comment and a variation. */
export const GAME = '[White "Nepomniachtchi, Ian"]\n[Black "Praggnanandhaa, Rameshbabu"]\n[Event "Candidates"]\n[Date "2024.04.09"]\n[Result "1-0"]\n\n'
  + '1. e4 {[%eval 0.3] [%clk 1:59:05]} e5 {[%eval 0.2] [%clk 1:58:00]} 2. Nf3 {[%eval 0.3]} Nc6 {[%eval 2.3]} 3. Bb5 {[%eval 0.5] The Spanish.} a6 (3... Nf6 4. O-O) 4. Ba4 1-0';
