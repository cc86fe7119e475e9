/** The postings of several terms as those of one word: who holds any of them, and how often the one it holds most. */

import { seek } from "./seek.ts";
import type { Postings } from "./text-segment.ts";

const nothing: Postings = { documentNumbers: new Uint32Array(), counts: new Uint16Array() };
/** Behind every document number, and yet a number that fits into 31 bits: with those the loop below is three times as fast. */
const end = 0x7fffffff;

/** The rarest terms first: what is put together is read again with each further one. */
export function unitedPostings(all: readonly Postings[]): Postings {
	const [first = nothing, ...others] = all.length > 2 ? all.toSorted((a, b) => a.documentNumbers.length - b.documentNumbers.length) : all;
	return others.reduce(united, first);
}

/** Where one list is so many times as long as the other, its stretches are copied as they are. */
const fewShare = 128;

function united(a: Postings, b: Postings): Postings {
	const [few, many] = a.documentNumbers.length < b.documentNumbers.length ? [a, b] : [b, a];
	return few.documentNumbers.length * fewShare < many.documentNumbers.length ? inserted(few, many) : merged(a, b);
}

function inserted(few: Postings, many: Postings): Postings {
	const documentNumbers = new Uint32Array(few.documentNumbers.length + many.documentNumbers.length);
	const counts = new Uint16Array(documentNumbers.length);
	let [size, from] = [0, 0];
	const copyUntil = (end: number) => {
		documentNumbers.set(many.documentNumbers.subarray(from, end), size);
		counts.set(many.counts.subarray(from, end), size);
		size += end - from;
		from = end;
	};
	for (let i = 0; i < few.documentNumbers.length; i++) {
		const documentNumber = few.documentNumbers[i] ?? 0;
		copyUntil(seek(many.documentNumbers, from, documentNumber));
		const isInBoth = many.documentNumbers[from] === documentNumber;
		documentNumbers[size] = documentNumber;
		counts[size++] = Math.max(few.counts[i] ?? 0, isInBoth ? (many.counts[from] ?? 0) : 0);
		if (isInBoth) from += 1;
	}
	copyUntil(many.documentNumbers.length);
	return { documentNumbers: documentNumbers.subarray(0, size), counts: counts.subarray(0, size) };
}

function merged(a: Postings, b: Postings): Postings {
	const [left, right] = [signed(a.documentNumbers), signed(b.documentNumbers)];
	const [leftCounts, rightCounts] = [a.counts, b.counts];
	const documentNumbers = new Int32Array(left.length + right.length);
	const counts = new Uint16Array(documentNumbers.length);
	let [size, i, j] = [0, 0, 0];
	let [atLeft, atRight] = [left[0] ?? end, right[0] ?? end];
	while (atLeft < end || atRight < end) {
		let documentNumber = atLeft;
		let count = 0;
		if (atRight < documentNumber) documentNumber = atRight;
		if (documentNumber === atLeft) {
			count = leftCounts[i++] ?? 0;
			atLeft = left[i] ?? end;
		}
		if (documentNumber === atRight) {
			count = Math.max(count, rightCounts[j++] ?? 0);
			atRight = right[j] ?? end;
		}
		documentNumbers[size] = documentNumber;
		counts[size++] = count;
	}
	return { documentNumbers: new Uint32Array(documentNumbers.buffer, 0, size), counts: counts.subarray(0, size) };
}

function signed({ buffer, byteOffset, length }: Uint32Array): Int32Array {
	return new Int32Array(buffer, byteOffset, length);
}
