/** Language models, and the client through which plugins and core ask one. */

import type { Json } from "../../model/json.ts";
import type { Step } from "./step.ts";

/** One request to a language model. */
export interface ModelRequest {
	/** The system prompt: instructions from Cairn and the organisation, never text from a document. */
	readonly system: string;
	/** The user prompt. Text from a document is fenced as data. */
	readonly prompt: string;
	/**
	 * The JSON Schema of the object to respond with. All providers accept this form: every property is required, others are not allowed,
	 * and missing values are null.
	 */
	readonly schema: { readonly [key: string]: Json };
	readonly outputTokensMax: number;
}

export interface ModelUsage {
	readonly inputTokens: number;
	readonly outputTokens: number;
}

export interface Generated {
	/** Absent if the response is not JSON, even after repair. Such a response is paid for too. */
	readonly object?: Json;
	/** The provider's token counts; estimated from the lengths if it does not return any. */
	readonly usage: ModelUsage;
}

/**
 * Sends a request to a provider once, without retries or caching; it can be aborted by the signal.
 * @throws ServiceError `MODEL_UNAVAILABLE` for a temporary failure, with `after` set to the time that the provider asks to wait, or to 0
 * if it is overloaded and states no time (such a failure is never blamed on the request); `MODEL_REFUSED` if it rejects every request, for
 * example for a wrong key or an unknown model; `MODEL_DECLINED` if it rejects this request only.
 */
export interface LanguageModel {
	readonly name: string;
	/** The provider's name for the model. Stored responses are used for the same model only. */
	readonly model: string;
	readonly generate: (question: ModelRequest, step: Step) => Promise<Generated>;
}

/** The language model for plugins: within budgets and limits, and with stored responses. */
export interface ModelClient {
	/** Provider and model. It is stored with the memories that are extracted. */
	readonly name: string;
	/**
	 * @param read reads the value from a response, or returns what is wrong with it (`problem`): then the model is asked once more, with
	 * that message added.
	 * @throws ServiceError `MODEL_DECLINED`, `MODEL_MALFORMED`, `MODEL_REFUSED` or `MODEL_SPENT` if the work has to be done without the
	 * model; `MODEL_UNAVAILABLE` if the whole job is to be done later.
	 */
	readonly ask: <Value>(question: ModelRequest, read: (object: Json) => ParsedAnswer<Value>) => Promise<Value>;
}

export type ParsedAnswer<Value> = { readonly value: Value } | { readonly problem: string };
