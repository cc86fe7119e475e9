/** Converts values of other programs to metadata, times, container tags and customIds. */

import { limits } from "../../core/model/limits.ts";
import type { FlatMetadata } from "./item.ts";

/** Converts an object to metadata. Single values and lists stay as they are; nested objects become JSON strings. */
export function toMetadata(given: unknown): FlatMetadata {
	if (typeof given !== "object" || given === null || Array.isArray(given)) return {};
	const pairs = Object.entries(given).flatMap(([key, value]): readonly [string, FlatMetadata[string]][] => {
		const name = key.replaceAll(/\p{Cc}/gu, " ").slice(0, limits.metadataKeyCharactersMax);
		const converted = toMetadataValue(value);
		return name === "" || converted === null ? [] : [[name, converted]];
	});
	return Object.fromEntries(pairs.slice(0, limits.metadataKeysMax));
}

function toMetadataValue(value: unknown): FlatMetadata[string] | null {
	if (value === null || value === undefined) return null;
	if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return value;
	if (value instanceof Date) return value.toISOString();
	if (Array.isArray(value) && value.every((element) => typeof element !== "object"))
		return value.slice(0, limits.metadataListMax).map((element) => String(element).slice(0, limits.metadataTextCharactersMax));
	return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, limits.metadataTextCharactersMax);
}

/** Only those entries whose value is a non-empty string. */
export function onlyStrings(entries: Readonly<Record<string, unknown>>): FlatMetadata {
	return Object.fromEntries(Object.entries(entries).flatMap(([key, value]) => (typeof value === "string" && value !== "" ? [[key, value]] : [])));
}

/** Converts Unix seconds or a date string to ISO 8601; null if the value is neither. */
export function toIsoTime(value: unknown): string | null {
	const date = typeof value === "number" ? new Date(value * 1_000) : typeof value === "string" ? new Date(value) : null;
	return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Converts a name to a valid container tag; null if there is none. */
export function toContainerTag(value: unknown): string | null {
	if (typeof value !== "string" || value === "") return null;
	return value.replaceAll(/[^a-zA-Z0-9_:.-]/g, "_").slice(0, limits.containerTagCharactersMax);
}

/** A customId made from the id that something has in another program. */
export function toCustomId(source: string, id: string): string {
	const isValidCustomId = /^[a-zA-Z0-9_.:-]{1,200}$/.test(id);
	return `${source}:${isValidCustomId ? id : new Bun.CryptoHasher("sha256").update(id).digest("hex").slice(0, 40)}`;
}
