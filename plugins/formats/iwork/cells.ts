/** Decodes a cell of a table from the bytes of its row, in the layout since 2017. */

import { fail } from "cairn-memory";

/** What cells of a table refer to by number. */
export interface CellTexts {
	readonly plain: (key: number) => string;
	readonly rich: (key: number) => string;
	readonly format: (key: number) => NumberFormat | null;
}

export interface NumberFormat {
	readonly isPercent: boolean;
	/** Such as `EUR`; empty for none. */
	readonly currency: string;
}

/** Version, kind, flags, and which fields follow. */
const headerBytes = 12;
const flagsAt = 8;
/** The fields that may follow, in this order; a bit of the header tells whether one is there. */
const fields = { decimal: 0, double: 1, seconds: 2, plain: 3, rich: 4, numberFormat: 13, currencyFormat: 14 } as const;
/** Of the first fields; the others have four bytes. */
const widths = [16, 8, 8];

const kinds = { number: 2, text: 3, date: 5, boolean: 6, duration: 7, rich: 9, currency: 10 } as const;

/** @returns the text that is shown, empty for an empty cell and for an error. @throws FILE_BROKEN if it ends too early */
export function cellText(row: DataView, start: number, texts: CellTexts): string {
	try {
		return decode(row, start, texts);
	} catch (thrown) {
		if (thrown instanceof RangeError) throw fail("FILE_BROKEN", "a cell of it ends too early").because(thrown);
		throw thrown;
	}
}

function decode(row: DataView, start: number, { plain, rich, format }: CellTexts): string {
	const flags = row.getUint32(start + flagsAt, true);
	const at = (field: number) => fieldAt(start, flags, field);
	const key = (field: number) => {
		const offset = at(field);
		return offset === null ? null : row.getUint32(offset, true);
	};
	const [doubleAt, secondsAt] = [at(fields.double), at(fields.seconds)];
	const double = doubleAt === null ? Number.NaN : row.getFloat64(doubleAt, true);
	switch (row.getUint8(start + 1)) {
		case kinds.number:
		case kinds.currency: {
			const formatKey = key(fields.currencyFormat) ?? key(fields.numberFormat);
			const decimalAt = at(fields.decimal);
			return numberText(decimalAt === null ? double : decimalOf(row, decimalAt), formatKey === null ? null : format(formatKey));
		}
		case kinds.text:
			return plain(key(fields.plain) ?? 0);
		case kinds.rich:
			return rich(key(fields.rich) ?? 0);
		case kinds.date:
			return secondsAt === null ? "" : dateText(row.getFloat64(secondsAt, true));
		case kinds.boolean:
			return double === 0 ? "FALSE" : "TRUE";
		case kinds.duration:
			return durationText(double);
		default:
			return "";
	}
}

/** Null if the cell does not have the field. */
function fieldAt(start: number, flags: number, field: number): number | null {
	const has = (other: number) => (flags & (1 << other)) !== 0;
	if (!has(field)) return null;
	let offset = start + headerBytes;
	for (let other = 0; other < field; other++) if (has(other)) offset += widths[other] ?? 4;
	return offset;
}

/** A decimal of 128 bits in the binary layout of IEEE 754. */
function decimalOf(row: DataView, at: number): number {
	const [low, high] = [row.getBigUint64(at, true), row.getBigUint64(at + 8, true)];
	const exponent = Number((high >> 49n) & 0x3fffn) - 6_176;
	const digits = ((high & 0x1_ffff_ffff_ffffn) << 64n) | low;
	return Number(`${high >> 63n === 1n ? "-" : ""}${digits}e${exponent}`);
}

function numberText(value: number, format: NumberFormat | null): string {
	if (!Number.isFinite(value)) return "";
	if (format?.isPercent === true) return `${rounded(value * 100)}%`;
	return format === null || format.currency === "" ? rounded(value) : `${rounded(value)} ${format.currency}`;
}

/** Without the last digits, in which binary numbers differ from what was written. */
function rounded(value: number): string {
	return String(Number(value.toPrecision(15)));
}

const epoch = Date.UTC(2001, 0, 1);

function dateText(seconds: number): string {
	const date = new Date(epoch + seconds * 1_000);
	if (Number.isNaN(date.getTime())) return "";
	const [day = "", time = ""] = date.toISOString().split("T");
	return time.startsWith("00:00:00") ? day : `${day} ${time.slice(0, 5)}`;
}

function durationText(seconds: number): string {
	if (!Number.isFinite(seconds)) return "";
	const twoDigits = (number: number) => String(Math.floor(number)).padStart(2, "0");
	const whole = Math.round(Math.abs(seconds));
	return `${seconds < 0 ? "-" : ""}${Math.floor(whole / 3_600)}:${twoDigits((whole / 60) % 60)}:${twoDigits(whole % 60)}`;
}
