/** Reads the shared strings of a workbook: one list, which is split into records at any position. */

import { charactersAt } from "./records.ts";

/** Reads the pieces as if they were one. If a text is split, its second part begins with a byte of flags. */
class PieceReader {
	readonly #pieces: readonly Buffer[];
	#piece = 0;
	#at: number;

	constructor(pieces: readonly Buffer[], index: number) {
		this.#pieces = pieces;
		this.#at = index;
	}

	get #current(): Buffer | undefined {
		return this.#pieces[this.#piece];
	}

	get isAtEnd(): boolean {
		this.#turn();
		return this.#current === undefined;
	}

	byte(): number {
		this.#turn();
		return this.#current?.[this.#at++] ?? 0;
	}

	number(bytes: number): number {
		let value = 0;
		for (let index = 0; index < bytes; index++) value += this.byte() * 256 ** index;
		return value;
	}

	skip(bytes: number): void {
		for (let remaining = bytes; remaining > 0 && !this.isAtEnd; ) {
			const step = Math.min(remaining, (this.#current?.length ?? 0) - this.#at);
			this.#at += step;
			remaining -= step;
		}
	}

	characters(length: number, isWide: boolean): string {
		let text = "";
		let isTwoByte = isWide;
		for (let remaining = length; remaining > 0; ) {
			const current = this.#current;
			if (current === undefined) break;
			const width = isTwoByte ? 2 : 1;
			const available = Math.min(remaining, Math.floor((current.length - this.#at) / width));
			text += charactersAt(current, this.#at, available, isTwoByte);
			this.#at += available * width;
			remaining -= available;
			if (remaining === 0) break;
			this.#piece++;
			this.#at = 0;
			isTwoByte = (this.byte() & 1) !== 0;
		}
		return text;
	}

	#turn(): void {
		while (this.#current !== undefined && this.#at >= this.#current.length) {
			this.#piece++;
			this.#at = 0;
		}
	}
}

export function sharedStrings(pieces: readonly Buffer[]): readonly string[] {
	const first = pieces[0];
	if (first === undefined || first.length < 8) return [];
	const count = first.readUInt32LE(4);
	const reader = new PieceReader(pieces, 8);
	const strings: string[] = [];
	while (strings.length < count && !reader.isAtEnd) {
		const length = reader.number(2);
		const flags = reader.byte();
		const formatRuns = (flags & 8) === 0 ? 0 : reader.number(2);
		const phoneticBytes = (flags & 4) === 0 ? 0 : reader.number(4);
		strings.push(reader.characters(length, (flags & 1) !== 0));
		reader.skip(formatRuns * 4 + phoneticBytes);
	}
	return strings;
}
