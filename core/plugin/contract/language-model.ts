/** Language models, and the client that parts use to ask one. */

import type { Json } from "../../model/json.ts";
import type { Step } from "./step.ts";

/** One question to a language model. */
export interface Question {
	/** The instructions, from Cairn and the organisation, never from a document. */
	readonly system: string;
	/** The input. Text from a document is fenced as data. */
	readonly prompt: string;
	/** JSON Schema of the one object to answer. All providers accept this form: every property required, no others, null for missing values. */
	readonly schema: { readonly [key: string]: Json };
	readonly outputTokensMax: number;
}

export interface ModelUsage {
	readonly inputTokens: number;
	readonly outputTokens: number;
}

export interface Generated {
	/** Absent when the response is no JSON, even after repair. It still has a cost. */
	readonly object?: Json;
	/** As the provider counts; estimated from the lengths where it does not. */
	readonly usage: ModelUsage;
}

/**
 * Answers a question once, without retries or caching, until the signal is aborted.
 * @throws ServiceError `MODEL_UNAVAILABLE` for what passes by itself, `after` as long as the provider asks to wait, 0 when
 * it has too much to do and does not say for how long: that is never held against the question;
 * `MODEL_REFUSED` when it takes nothing from us: a wrong key, an unknown model; `MODEL_DECLINED` when it does not take this.
 */
export interface LanguageModel {
	readonly name: string;
	/** The provider's name of the model. Stored answers belong to one model. */
	readonly model: string;
	readonly generate: (question: Question, step: Step) => Promise<Generated>;
}

/** The language model as plugins may use it: within budgets and limits, with stored answers. */
export interface ModelClient {
	/** Provider and model, noted with what is extracted. */
	readonly name: string;
	/**
	 * @param read the value in an answer, or what is wrong with it; then the model is asked once more with that complaint.
	 * @throws ServiceError `MODEL_DECLINED`, `MODEL_MALFORMED`, `MODEL_REFUSED`, `MODEL_SPENT` when it has to be done without;
	 * `MODEL_UNAVAILABLE` when all of it is to be done later.
	 */
	readonly ask: <Value>(question: Question, read: (object: Json) => AnswerRead<Value>) => Promise<Value>;
}

export type AnswerRead<Value> = { readonly value: Value } | { readonly complaint: string };
