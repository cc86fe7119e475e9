/** Values of others in the form that metadata, names and times have here. */

import { limits } from "../../core/model/limits.ts";
import type { Plain } from "./item.ts";

/** Lists of texts and single values stay; whatever else is JSON in a text. */
export function plain(given: unknown): Plain {
	if (typeof given !== "object" || given === null || Array.isArray(given)) return {};
	const pairs = Object.entries(given).flatMap(([key, value]): readonly [string, Plain[string]][] => {
		const name = key.replaceAll(/\p{Cc}/gu, " ").slice(0, limits.metadataKeyCharactersMax);
		const kept = plainValue(value);
		return name === "" || kept === null ? [] : [[name, kept]];
	});
	return Object.fromEntries(pairs.slice(0, limits.metadataKeysMax));
}

function plainValue(value: unknown): Plain[string] | null {
	if (value === null || value === undefined) return null;
	if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return value;
	if (value instanceof Date) return value.toISOString();
	if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
		return value.slice(0, limits.metadataListMax).map((one) => String(one).slice(0, limits.metadataTextCharactersMax));
	return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, limits.metadataTextCharactersMax);
}

/** Of these only that are texts. */
export function texts(named: Readonly<Record<string, unknown>>): Plain {
	return Object.fromEntries(Object.entries(named).flatMap(([key, value]) => (typeof value === "string" && value !== "" ? [[key, value]] : [])));
}

/** Seconds since 1970 or ISO 8601 → ISO 8601; null for what is neither. */
export function instant(given: unknown): string | null {
	const date = typeof given === "number" ? new Date(given * 1_000) : typeof given === "string" ? new Date(given) : null;
	return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** What may be a container tag here. Null for nothing. */
export function asTag(given: unknown): string | null {
	if (typeof given !== "string" || given === "") return null;
	return given.replaceAll(/[^a-zA-Z0-9_:.-]/g, "_").slice(0, limits.containerTagCharactersMax);
}

/** A customId, made of the id that something has elsewhere. */
export function nameOf(source: string, id: string): string {
	const isGood = /^[a-zA-Z0-9_.:-]{1,200}$/.test(id);
	return `${source}:${isGood ? id : new Bun.CryptoHasher("sha256").update(id).digest("hex").slice(0, 40)}`;
}
