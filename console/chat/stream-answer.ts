/** Asks the memory router a question and reads the answer while it comes. */

import { type Api, Problem } from "../api/client.ts";
import type { MemoryResults, Profile } from "../api/wire.ts";
import { fromHit, type MemoryItem } from "../memories/memory-item.ts";

export interface Turn {
	readonly role: "user" | "assistant";
	readonly content: string;
}

export interface Asked {
	readonly container: string;
	/** Under this name the turns are remembered. */
	readonly conversation: string;
	readonly model: string;
	readonly turns: readonly Turn[];
}

/** What the router adds to the prompt, as far as it fits. */
export interface Known {
	/** With the documents that they rest on. */
	readonly matching: readonly MemoryItem[];
	readonly lasting: readonly string[];
	readonly recent: readonly string[];
}

/** The same questions that the router asks. */
export async function readKnown(api: Api, container: string, question: string, signal: AbortSignal): Promise<Known> {
	const [{ profile }, { results }] = await Promise.all([
		api.ask<Profile>("POST", "/v4/profile", { containerTag: container, include: ["static", "dynamic"] }, signal),
		api.ask<MemoryResults>("POST", "/v4/search", { containerTag: container, q: question, include: { documents: true } }, signal),
	]);
	return { matching: results.map(fromHit), lasting: profile.static ?? [], recent: profile.dynamic ?? [] };
}

/**
 * @param onText is told all that has come so far
 * @returns whether the router added what is known
 */
export async function streamAnswer(api: Api, asked: Asked, onText: (text: string) => void, signal: AbortSignal): Promise<boolean> {
	const { container, conversation, model, turns } = asked;
	const body = { model, messages: turns, user: container, stream: true };
	const response = await api.open("POST", "/v1/chat/completions", body, signal, { "x-sm-conversation-id": conversation });
	let text = "";
	for await (const piece of pieces(response)) {
		text += piece;
		onText(text);
	}
	return response.headers.get("x-supermemory-context-modified") === "true";
}

/** The texts of an event stream in OpenAI's form. */
async function* pieces(response: Response): AsyncGenerator<string> {
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	for (let rest = ""; reader !== undefined; ) {
		const { done, value = "" } = await reader.read();
		const lines = (rest + value).split("\n");
		rest = done ? "" : (lines.pop() ?? "");
		yield lines.map(textOf).join("");
		if (done) return;
	}
}

interface Piece {
	readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
	readonly error?: { readonly message?: string };
}

function textOf(line: string): string {
	const data = line.startsWith("data:") ? line.slice(5).trim() : "";
	if (data === "" || data === "[DONE]") return "";
	const { choices = [], error } = JSON.parse(data) as Piece;
	if (error !== undefined) throw new Problem(0, "ROUTER_UNAVAILABLE", error.message ?? "The provider broke off.", "Ask again.");
	return choices[0]?.delta?.content ?? "";
}
