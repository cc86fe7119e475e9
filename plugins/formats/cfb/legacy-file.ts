/** Office files from before 2007: the streams of an OLE container, and its document properties. */

import { fail, ServiceError } from "cairn-memory";
import iconv from "iconv-lite";
import { emptyTitles, type Properties } from "../blocks/properties.ts";
import { openCompoundFile, type Storage } from "./compound-file.ts";

export interface LegacyFile {
	readonly root: Storage;
	/** The first stream with one of these names, ignoring case; null when there is none. */
	readonly stream: (...names: readonly string[]) => Buffer | null;
	readonly properties: Properties;
}

/** @throws FILE_ENCRYPTED for a file with a password, FILE_BROKEN. */
export function openLegacyFile(bytes: Uint8Array): LegacyFile {
	const root = openCompoundFile(bytes);
	if (root.streams.has("EncryptedPackage")) throw fail("FILE_ENCRYPTED");
	const stream = (...names: readonly string[]) => {
		for (const name of names) {
			const found = root.streams.get(name) ?? root.streams.get(name.toUpperCase());
			if (found !== undefined) return Buffer.from(found.buffer, found.byteOffset, found.byteLength);
		}
		return null;
	};
	return { root, stream, properties: orElse(() => propertiesOf(stream("\u0005SummaryInformation")), noProperties) };
}

/** Converts range errors, which come from records that point beyond their stream, to FILE_BROKEN. */
export function withDamageErrors<Value>(read: () => Value): Value {
	try {
		return read();
	} catch (thrown) {
		if (thrown instanceof RangeError) throw fail("FILE_BROKEN", "its records point outside of the file").because(thrown);
		throw thrown;
	}
}

/** Reads an optional part; returns the fallback if it is damaged. */
export function orElse<Value>(read: () => Value, fallback: Value): Value {
	try {
		return withDamageErrors(read);
	} catch (thrown) {
		if (thrown instanceof ServiceError && thrown.code === "FILE_BROKEN") return fallback;
		throw thrown;
	}
}

export function codePage(number: number): string {
	if (number === 65001) return "utf-8";
	if (number === 1200) return "utf-16le";
	return iconv.encodingExists(`cp${number}`) ? `cp${number}` : "windows-1252";
}

const noProperties: Properties = { title: null, description: null, language: null };
const propertyIds = { codePage: 1, title: 2, subject: 3 } as const;
const propertiesMax = 1_000;

function propertiesOf(summary: Buffer | null): Properties {
	if (summary === null) return noProperties;
	const section = summary.readUInt32LE(44);
	const count = Math.min(summary.readUInt32LE(section + 4), propertiesMax);
	const offsets = new Map(
		Array.from({ length: count }, (_, index) => [summary.readUInt32LE(section + 8 + index * 8), section + summary.readUInt32LE(section + 12 + index * 8)]),
	);
	const codePageOffset = offsets.get(propertyIds.codePage);
	const encoding = codePage(codePageOffset === undefined ? 1252 : summary.readUInt16LE(codePageOffset + 4));
	const text = (number: number) => {
		const offset = offsets.get(number);
		if (offset === undefined) return null;
		const [type, length] = [summary.readUInt32LE(offset) & 0xffff, summary.readUInt32LE(offset + 4)];
		const raw =
			type === 31
				? summary.toString("utf16le", offset + 8, offset + 8 + length * 2)
				: type === 30
					? iconv.decode(summary.subarray(offset + 8, offset + 8 + length), encoding)
					: "";
		return raw.replace(/\0.*$/s, "").trim() || null;
	};
	const title = text(propertyIds.title);
	return { title: title === null || emptyTitles.test(title) ? null : title, description: text(propertyIds.subject), language: null };
}
