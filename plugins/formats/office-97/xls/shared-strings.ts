/** The shared strings of a workbook: one list, split into records at any position. */

import { charactersAt } from "./records.ts";

/** Reads the pieces as if they were one. After a split, a text continues with a byte of flags. */
class Pieces {
	readonly #pieces: readonly Buffer[];
	#piece = 0;
	#at: number;

	constructor(pieces: readonly Buffer[], at: number) {
		this.#pieces = pieces;
		this.#at = at;
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
		for (let at = 0; at < bytes; at++) value += this.byte() * 256 ** at;
		return value;
	}

	skip(bytes: number): void {
		for (let left = bytes; left > 0 && !this.isAtEnd; ) {
			const step = Math.min(left, (this.#current?.length ?? 0) - this.#at);
			this.#at += step;
			left -= step;
		}
	}

	characters(length: number, isWide: boolean): string {
		let written = "";
		let wide = isWide;
		for (let left = length; left > 0; ) {
			const current = this.#current;
			if (current === undefined) break;
			const width = wide ? 2 : 1;
			const here = Math.min(left, Math.floor((current.length - this.#at) / width));
			written += charactersAt(current, this.#at, here, wide);
			this.#at += here * width;
			left -= here;
			if (left === 0) break;
			this.#piece++;
			this.#at = 0;
			wide = (this.byte() & 1) !== 0;
		}
		return written;
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
	const reader = new Pieces(pieces, 8);
	const strings: string[] = [];
	while (strings.length < count && !reader.isAtEnd) {
		const length = reader.number(2);
		const flags = reader.byte();
		const runs = (flags & 8) === 0 ? 0 : reader.number(2);
		const foreign = (flags & 4) === 0 ? 0 : reader.number(4);
		strings.push(reader.characters(length, (flags & 1) !== 0));
		reader.skip(runs * 4 + foreign);
	}
	return strings;
}
