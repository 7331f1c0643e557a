/** What agents are called that other agents have started: by people who found something out. */
const NAMES =
  `Ada Agnesi Archimedes Avicenna Banach Bohr Boole Brahe Cantor Carson Cauchy Chandra Copernicus Curie Dalton
  Darwin Dirac Einstein Erdos Euclid Euler Faraday Fermat Fermi Feynman Fibonacci Fourier Franklin Galileo Galois Gauss
  Germain Goodall Halley Hamilton Hawking Heisenberg Herschel Hilbert Hopper Hypatia Jacobi Joule Kepler Khayyam Laplace
  Leavitt Leibniz Lovelace Maxwell McClintock Meitner Mendel Mirzakhani Napier Newton Noether Pascal Pasteur Pauli Planck
  Poincare Ptolemy Raman Ramanujan Riemann Rubin Sagan Shannon Shen Su Tesla Thales Turing Volta Wiener Wu Yang Zhang`
    .split(/\s+/)
    .filter(Boolean);

/** One that none of these has; `random` is below 1. Once all are taken, names are numbered. */
export function nickname(taken: readonly string[], random: number): string {
  for (let round = 1; ; round++) {
    const names = NAMES.map((name) => (round === 1 ? name : `${name} ${round}`));
    const free = names.filter((name) => !taken.includes(name));
    const found = free[Math.floor(random * free.length)];
    if (found !== undefined) return found;
  }
}
