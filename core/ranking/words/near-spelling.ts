/** How likely two spellings mean the same word: with one or two typing errors, or if one is a part of the other, a compound. */

/** The most words of a query for which near spellings are searched, because each is compared with very many spellings. */
export const meantMax = 6;

const shortest = 4;
/** In words of at least this many letters, two letters may be wrong. */
const longFrom = 8;
const oneWrong = 0.8;
const twoWrong = 0.6;
/** The shortest part of a compound, in letters. */
const partMin = 5;
const wholePart = 0.7;
const digit = /\p{N}/u;

/** @returns 0 to 1. Numbers are never near each other: 2026 is not 2027. */
export function nearSpelling(wanted: string, other: string): number {
	if (wanted === other) return 1;
	const [short, long] = wanted.length < other.length ? [wanted, other] : [other, wanted];
	if (short.length < shortest || digit.test(wanted)) return 0;
	const most = short.length >= longFrom ? 2 : 1;
	const wrong = long.length - short.length > most ? most + 1 : lettersWrong(short, long, most);
	if (wrong <= most) return wrong === 1 ? oneWrong : twoWrong;
	return short.length >= partMin && long.includes(short) ? (wholePart * short.length) / long.length : 0;
}

/** Allocated once and not for each comparison, because thousands of spellings are compared with one word. */
let rows: [Uint8Array, Uint8Array, Uint8Array] = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)];

/**
 * The number of letters that are inserted, left out, changed or swapped with the next one (Damerau, 1964), at most `most` + 1. Only letters
 * whose positions differ by at most `most` are compared. So an index that is filled with long, similar words on purpose is not slower.
 */
function lettersWrong(a: string, b: string, most: number): number {
	const tooMany = most + 1;
	if (b.length >= rows[0].length) rows = [new Uint8Array(b.length * 2), new Uint8Array(b.length * 2), new Uint8Array(b.length * 2)];
	let [before, last, row] = rows;
	last.fill(tooMany, 0, b.length + 1);
	for (let j = 0; j <= most; j++) last[j] = j;
	for (let i = 1; i <= a.length; i++) {
		row.fill(tooMany, 0, b.length + 1);
		row[0] = Math.min(i, tooMany);
		let least = row[0];
		for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j++) {
			const isSame = a[i - 1] === b[j - 1];
			let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1), tooMany);
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
			row[j] = cost;
			least = Math.min(least, cost);
		}
		if (least > most) return tooMany;
		[before, last, row] = [last, row, before];
	}
	return last[b.length] ?? tooMany;
}
