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
	return { root, stream, properties: orElse(() => propertiesOf(stream("\u0005SummaryInformation")), nothingSaid) };
}

/** Turns range errors, from records that point beyond their stream, into FILE_BROKEN. */
export function guarded<Value>(read: () => Value): Value {
	try {
		return read();
	} catch (thrown) {
		if (thrown instanceof RangeError) throw fail("FILE_BROKEN", "its records point to where nothing is").because(thrown);
		throw thrown;
	}
}

/** Replaces damaged optional parts by a default. */
export function orElse<Value>(read: () => Value, otherwise: Value): Value {
	try {
		return guarded(read);
	} catch (thrown) {
		if (thrown instanceof ServiceError && thrown.code === "FILE_BROKEN") return otherwise;
		throw thrown;
	}
}

export function codePage(number: number): string {
	if (number === 65001) return "utf-8";
	if (number === 1200) return "utf-16le";
	return iconv.encodingExists(`cp${number}`) ? `cp${number}` : "windows-1252";
}

const nothingSaid: Properties = { title: null, description: null, language: null };
const numbers = { codePage: 1, title: 2, subject: 3 } as const;
const propertiesMax = 1_000;

function propertiesOf(set: Buffer | null): Properties {
	if (set === null) return nothingSaid;
	const section = set.readUInt32LE(44);
	const count = Math.min(set.readUInt32LE(section + 4), propertiesMax);
	const places = new Map(Array.from({ length: count }, (_, at) => [set.readUInt32LE(section + 8 + at * 8), section + set.readUInt32LE(section + 12 + at * 8)]));
	const pageAt = places.get(numbers.codePage);
	const page = codePage(pageAt === undefined ? 1252 : set.readUInt16LE(pageAt + 4));
	const text = (number: number) => {
		const at = places.get(number);
		if (at === undefined) return null;
		const [type, length] = [set.readUInt32LE(at) & 0xffff, set.readUInt32LE(at + 4)];
		const written =
			type === 31 ? set.toString("utf16le", at + 8, at + 8 + length * 2) : type === 30 ? iconv.decode(set.subarray(at + 8, at + 8 + length), page) : "";
		return written.replace(/\0.*$/s, "").trim() || null;
	};
	const title = text(numbers.title);
	return { title: title === null || emptyTitles.test(title) ? null : title, description: text(numbers.subject), language: null };
}
