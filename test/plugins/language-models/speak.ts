/** A language model's plugin, its host, and a server on this machine that answers in the provider's own form. */

import { type Generated, type Host, type LanguageModel, type ModelRequest, type Plugin, ServiceError } from "cairn-memory";
import { createGuardedFetch } from "../../../server/boot/network/guarded-fetch.ts";
import { createHost } from "../../doubles/extractor-host.ts";
import { createStep } from "../../doubles/step.ts";

export const question: ModelRequest = {
	system: "Note the facts.",
	prompt: "Ana lives in Ulm.",
	schema: { type: "object", properties: { facts: { type: "array", items: { type: "string" } } }, required: ["facts"], additionalProperties: false },
	outputTokensMax: 321,
};

export interface Heard {
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Readonly<Record<string, unknown>>;
}

export interface Provider {
	readonly origin: string;
	readonly host: Host;
	readonly heard: readonly Heard[];
	readonly answer: (next: () => Response | Promise<Response>) => void;
	readonly stop: () => Promise<void>;
}

export function startProvider(first: () => Response): Provider {
	let answer: () => Response | Promise<Response> = first;
	const heard: Heard[] = [];
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: async (request) => {
			const { pathname, search } = new URL(request.url);
			heard.push({ path: `${pathname}${search}`, headers: Object.fromEntries(request.headers), body: (await request.json()) as Heard["body"] });
			return answer();
		},
	});
	const host = { ...createHost(), fetch: createGuardedFetch({ allow: [`127.0.0.1:${server.port}`], log: () => undefined }) };
	return {
		origin: `http://127.0.0.1:${server.port}`,
		host,
		heard,
		answer: (next) => {
			answer = next;
		},
		stop: () => server.stop(true),
	};
}

export async function startModel(plugin: Plugin, host: Host): Promise<LanguageModel> {
	const checked = await plugin.options["~standard"].validate(plugin.rawOptions);
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	const [model] = (await plugin.start(checked.value, host)).languageModel ?? [];
	if (model === undefined) throw new Error("the plugin offers no language model");
	return model;
}

export function ask(model: LanguageModel, signal: AbortSignal = new AbortController().signal): Promise<Generated> {
	return model.generate(question, createStep(signal));
}

/** The error's code, and after how long it may be tried again. */
export async function refused(generated: Promise<Generated>): Promise<readonly [code: string, retryAfterMs: number | null, message: string]> {
	try {
		await generated;
	} catch (thrown) {
		if (thrown instanceof ServiceError) return [thrown.code, thrown.retryAfterMs, thrown.message];
		throw thrown;
	}
	throw new Error("it was answered");
}
