/** The properties of a page, such as those of a row of a database, as texts and as metadata. */

import { z } from "zod";
import { plainText, richTextSchema } from "./rich-text.ts";

export type PropertyValue = string | number | boolean | readonly string[];

export interface Properties {
	/** Empty if the page has none. */
	readonly title: string;
	/** By the name in Notion, without the title and without what is empty. */
	readonly values: ReadonlyMap<string, PropertyValue>;
}

const named = z.object({ name: z.string().nullish() }).nullish();
const span = z.object({ start: z.string(), end: z.string().nullish() }).nullish();

/** Of each type the part that says something: https://developers.notion.com/reference/page-property-values */
const readers: Readonly<Record<string, (value: unknown) => PropertyValue | null>> = {
	rich_text: (value) => plainText(richTextSchema.parse(value)),
	number: (value) => z.number().nullish().parse(value) ?? null,
	checkbox: (value) => z.boolean().parse(value),
	select: (value) => named.parse(value)?.name ?? null,
	status: (value) => named.parse(value)?.name ?? null,
	multi_select: (value) =>
		z
			.array(named)
			.parse(value)
			.flatMap((one) => one?.name ?? []),
	people: (value) =>
		z
			.array(named)
			.parse(value)
			.flatMap((one) => one?.name ?? []),
	files: (value) =>
		z
			.array(named)
			.parse(value)
			.flatMap((one) => one?.name ?? []),
	date: (value) => spanOf(span.parse(value)),
	url: textOrNull,
	email: textOrNull,
	phone_number: textOrNull,
	created_by: (value) => named.parse(value)?.name ?? null,
	last_edited_by: (value) => named.parse(value)?.name ?? null,
	unique_id: (value) => {
		const { prefix, number } = z.object({ prefix: z.string().nullish(), number: z.number().nullish() }).parse(value);
		return number == null ? null : `${prefix == null ? "" : `${prefix}-`}${number}`;
	},
	formula: (value) => {
		const formula = z.looseObject({ type: z.string() }).parse(value);
		return formula.type === "date"
			? spanOf(span.parse(formula["date"]))
			: (z.union([z.string(), z.number(), z.boolean()]).nullish().parse(formula[formula.type]) ?? null);
	},
	rollup: (value) => {
		const rollup = z.looseObject({ type: z.string() }).parse(value);
		if (rollup.type === "number") return z.number().nullish().parse(rollup["number"]) ?? null;
		if (rollup.type === "date") return spanOf(span.parse(rollup["date"]));
		return z
			.array(z.unknown())
			.parse(rollup["array"] ?? [])
			.flatMap((one) => shown(readValue(one)) ?? []);
	},
};

export function readProperties(properties: Readonly<Record<string, unknown>>): Properties {
	const values = new Map<string, PropertyValue>();
	let title = "";
	for (const [name, property] of Object.entries(properties)) {
		const titled = z.object({ type: z.literal("title"), title: richTextSchema }).safeParse(property);
		if (titled.success) title = plainText(titled.data.title).replace(/\s+/g, " ").trim();
		const value = readValue(property);
		if (value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)) values.set(name, value);
	}
	return { title, values };
}

export function shown(value: PropertyValue | null): string | null {
	if (value === null) return null;
	return typeof value === "object" ? value.join(", ") : String(value);
}

/** Null for a type that says nothing by itself, such as a relation, and for one that is not known. */
function readValue(property: unknown): PropertyValue | null {
	const parsed = z.looseObject({ type: z.string() }).safeParse(property);
	if (!parsed.success) return null;
	try {
		return readers[parsed.data.type]?.(parsed.data[parsed.data.type]) ?? null;
	} catch {
		return null;
	}
}

function textOrNull(value: unknown): string | null {
	return typeof value === "string" ? value : null;
}

function spanOf(value: z.infer<typeof span>): string | null {
	if (value == null) return null;
	return value.end == null ? value.start : `${value.start} – ${value.end}`;
}
