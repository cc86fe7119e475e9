/** Sends a question through a provider's library, and returns the JSON object in the response with the tokens it took. Used by all providers. */

import { APICallError, type LanguageModelV4, type LanguageModelV4Usage } from "@ai-sdk/provider";
import { fail, type Generated, type ModelRequest, ServiceError, type Step } from "cairn-memory";
import { readObject } from "./read-object.ts";
import { refusal } from "./refusal.ts";

/** An estimate for English, used if the provider does not report tokens. */
const charactersPerToken = 4;

/** @param name of the provider, for error messages. */
export async function generateWith(model: LanguageModelV4, name: string, question: ModelRequest, step: Step): Promise<Generated> {
	const { system, prompt, schema, outputTokensMax } = question;
	try {
		const { content, usage } = await model.doGenerate({
			prompt: [
				{ role: "system", content: system },
				{ role: "user", content: [{ type: "text", text: prompt }] },
			],
			responseFormat: { type: "json", name: "answer", schema },
			maxOutputTokens: outputTokensMax,
			temperature: 0,
			abortSignal: step.signal,
		});
		const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
		const object = readObject(text);
		return { ...(object !== undefined && { object }), usage: usageOf(usage, system.length + prompt.length, text.length) };
	} catch (thrown) {
		if (step.signal.aborted || thrown instanceof ServiceError) throw thrown;
		if (APICallError.isInstance(thrown)) throw callError(thrown, name);
		// The body was not JSON, or not a response of this protocol.
		throw fail("MODEL_UNAVAILABLE", name, "its response does not follow the protocol").because(thrown);
	}
}

function callError(thrown: APICallError, name: string): ServiceError {
	const { cause, statusCode } = thrown;
	if (cause instanceof ServiceError) return cause;
	if (statusCode === undefined || (statusCode >= 200 && statusCode < 300))
		return fail("MODEL_UNAVAILABLE", name, "its response does not follow the protocol").because(thrown);
	return refusal(name, statusCode, thrown.message, thrown.responseHeaders?.["retry-after"] ?? null).because(thrown);
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage, promptCharacters: number, responseCharacters: number) {
	return {
		inputTokens: inputTokens.total ?? Math.ceil(promptCharacters / charactersPerToken),
		outputTokens: outputTokens.total ?? Math.ceil(responseCharacters / charactersPerToken),
	};
}
