/** The schema of the model's answer, and how the answer is read. */

import type { AnswerRead, Json } from "cairn-memory";
import { z } from "zod";

/** Traits and preferences last; an event is over and a plan comes to its day. */
export const kinds = ["trait", "preference", "relation", "fact", "event", "plan"] as const;

/** One piece has no more to say that is worth keeping; a model that goes on and on is cut here. */
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

/** A memory that is not whole is left out; an answer with none of them whole is none. */
export function readAnswer(object: Json): AnswerRead<readonly Noted[]> {
	const whole = answer.safeParse(object);
	if (!whole.success) return { complaint: "it has no list called memories" };
	const { memories } = whole.data;
	const noted = memories.slice(0, memoriesMax).flatMap((each) => memory.safeParse(each).data ?? []);
	return memories.length > 0 && noted.length === 0 ? { complaint: "its memories have no text and quote" } : { value: noted };
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

/** The quote comes first: what is written after it is written about it. */
export const schema: { readonly [key: string]: Json } = {
	type: "object",
	properties: { memories: { type: "array", items: { type: "object", properties, required: Object.keys(properties), additionalProperties: false } } },
	required: ["memories"],
	additionalProperties: false,
};

/** A date or a time; anything else is no date, and neither is an impossible year. */
function readDate(given: string | null | undefined): Date | null {
	if (given == null || !/^\d{4}-\d\d-\d\d/.test(given)) return null;
	const found = new Date(given);
	return Number.isNaN(found.getTime()) || found.getUTCFullYear() < 1000 ? null : found;
}
