/** Unites the postings of several terms of one word: each text that has any of them, with the count of its most frequent term. */

import { seek } from "./seek.ts";
import type { Postings } from "./text-segment.ts";

const noPostings: Postings = { documentNumbers: new Uint32Array(), counts: new Uint16Array() };
/** Greater than every document number, but a 31-bit number, with which the loop below is three times as fast. */
const end = 0x7fffffff;

/** The rarest terms are united first, because the result is read again with each further one. */
export function unitedPostings(all: readonly Postings[]): Postings {
	const [first = noPostings, ...others] = all.length > 2 ? all.toSorted((a, b) => a.documentNumbers.length - b.documentNumbers.length) : all;
	return others.reduce(unite, first);
}

/** If one list is this many times as long as the other, its ranges are copied instead of merged element by element. */
const fewShare = 128;

function unite(a: Postings, b: Postings): Postings {
	const [few, many] = a.documentNumbers.length < b.documentNumbers.length ? [a, b] : [b, a];
	return few.documentNumbers.length * fewShare < many.documentNumbers.length ? insertFew(few, many) : mergeTwo(a, b);
}

function insertFew(few: Postings, many: Postings): Postings {
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

function mergeTwo(a: Postings, b: Postings): Postings {
	const [left, right] = [asSigned(a.documentNumbers), asSigned(b.documentNumbers)];
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

function asSigned({ buffer, byteOffset, length }: Uint32Array): Int32Array {
	return new Int32Array(buffer, byteOffset, length);
}
