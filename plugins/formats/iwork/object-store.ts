/** The objects of all parts of an iWork document that are of certain types, by their identifiers. */

import { fail, ServiceError } from "cairn-memory";
import type { ZipArchive } from "../zip/zip-archive.ts";
import { type ArchivedObject, objectsOf } from "./archive.ts";
import { type Field, fieldsOf } from "./protobuf.ts";

export interface ObjectStore {
	/** Null if there is none, or one of another type. */
	readonly get: (id: number, ...types: readonly number[]) => Uint8Array | null;
	/** The first of a type; null if there is none. */
	readonly first: (type: number) => Uint8Array | null;
}

const part = /\.iwa$/;
/** Parts about windows and people, and changes of others that are not blocks. */
const otherPart = /(?:ViewState|Metadata|OperationStorage|AnnotationAuthorStorage)[^/]*\.iwa$/;
const partFlaws: ReadonlySet<string> = new Set(["FILE_BROKEN", "OUTPUT_TOO_LARGE"]);
const keptBytesMax = 256 * 1024 * 1024;

/**
 * @param onDamage is told of a part that is damaged or too large; without it the error is thrown
 * @throws FILE_BROKEN, OUTPUT_TOO_LARGE
 */
export function readObjects(zip: ZipArchive, types: ReadonlySet<number>, onDamage?: (part: string) => void): ObjectStore {
	const objects = new Map<number, ArchivedObject>();
	let keptBytes = 0;
	const keep = (object: ArchivedObject) => {
		if (!types.has(object.type) || objects.has(object.id)) return;
		if (keptBytes + object.message.length > keptBytesMax) throw fail("OUTPUT_TOO_LARGE", `${keptBytesMax / 2 ** 20} MB`);
		keptBytes += object.message.length;
		// Copied, so that the rest of the part is freed.
		objects.set(object.id, { ...object, message: object.message.slice() });
	};
	for (const name of zip.names) {
		if (!part.test(name) || otherPart.test(name)) continue;
		try {
			for (const object of objectsOf(zip.read(name) ?? new Uint8Array())) keep(object);
		} catch (thrown) {
			if (onDamage === undefined || !(thrown instanceof ServiceError) || !partFlaws.has(thrown.code)) throw thrown;
			onDamage(name);
		}
	}
	return {
		get: (id, ...wanted) => {
			const object = objects.get(id);
			return object !== undefined && wanted.includes(object.type) ? object.message : null;
		},
		first: (type) => [...objects.values()].find((object) => object.type === type)?.message ?? null,
	};
}

/** The first field of a number; undefined if there is none. */
export function fieldOf(message: Uint8Array, number: number): Field | undefined {
	for (const field of fieldsOf(message)) if (field.number === number) return field;
	return undefined;
}

export function textOf(message: Uint8Array, number: number): string {
	return new TextDecoder().decode(fieldOf(message, number)?.bytes);
}

/** The texts of all fields of a number, one after the other. */
export function wholeText(message: Uint8Array, number: number): string {
	let text = "";
	for (const field of fieldsOf(message)) if (field.number === number) text += new TextDecoder().decode(field.bytes);
	return text;
}

/** The identifiers in all fields of a number, which are references: messages with an identifier. */
export function referencesIn(message: Uint8Array, number: number): readonly number[] {
	const found: number[] = [];
	for (const field of fieldsOf(message)) if (field.number === number) found.push(fieldOf(field.bytes, 1)?.value ?? 0);
	return found;
}
