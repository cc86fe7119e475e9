/** The schema of the model's response, and its parser. */

import type { Json, ParsedAnswer } from "cairn-memory";
import { z } from "zod";

/** Kinds of memories. Traits and preferences last; events and plans are temporary. */
export const kinds = ["trait", "preference", "relation", "fact", "event", "plan"] as const;

/** Most memories from one response, in case a model does not stop. */
const memoriesMax = 60;

const date = z.string().nullish().transform(readDate);
const memory = z.object({
	text: z.string(),
	quote: z.string(),
	kind: z.enum(kinds).catch("fact"),
	isStatic: z.boolean().catch(false),
	subject: z.string().nullish().catch(null),
	eventTime: date.catch(null),
	forgetAfter: date.catch(null),
	confidence: z.number().min(0).max(1).catch(0.5),
	replaces: z.array(z.string()).nullish().catch(null),
});
const answer = z.object({ memories: z.array(z.unknown()) });

export type Noted = z.output<typeof memory>;

/** Invalid memories are left out; a response with only invalid ones is rejected. */
export function readAnswer(object: Json): ParsedAnswer<readonly Noted[]> {
	const parsed = answer.safeParse(object);
	if (!parsed.success) return { problem: "it has no list called memories" };
	const { memories } = parsed.data;
	const noted = memories.slice(0, memoriesMax).flatMap((each) => memory.safeParse(each).data ?? []);
	return memories.length > 0 && noted.length === 0 ? { problem: "its memories have no text and quote" } : { value: noted };
}

const text = { type: "string" };
const orNull = { type: ["string", "null"] };
const properties = {
	quote: text,
	text,
	kind: { type: "string", enum: [...kinds] },
	isStatic: { type: "boolean" },
	subject: orNull,
	eventTime: orNull,
	forgetAfter: orNull,
	confidence: { type: "number" },
	replaces: { type: "array", items: text },
};

/** The quote comes first, so that the model writes the memory with the quote already in its output. */
export const schema: { readonly [key: string]: Json } = {
	type: "object",
	properties: { memories: { type: "array", items: { type: "object", properties, required: Object.keys(properties), additionalProperties: false } } },
	required: ["memories"],
	additionalProperties: false,
};

/** Parses an ISO date or time; null for anything else, and for years before 1000. */
function readDate(text: string | null | undefined): Date | null {
	if (text == null || !/^\d{4}-\d\d-\d\d/.test(text)) return null;
	const date = new Date(text);
	return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1000 ? null : date;
}
