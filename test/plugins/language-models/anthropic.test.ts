/** Anthropic's own API: what is asked, what is read, and what each refusal means. */

import { afterAll, beforeEach, expect, test } from "bun:test";
import anthropic from "../../../plugins/language-models/anthropic/index.ts";
import { languageModelContract, pluginContract } from "../../contract/index.ts";
import { ask, question, refused, startModel, startProvider } from "./speak.ts";

const message = (text: string, stop = "end_turn") =>
	Response.json({
		id: "msg_1",
		type: "message",
		role: "assistant",
		model: "claude-sonnet-4-5",
		content: [{ type: "text", text }],
		stop_reason: stop,
		stop_sequence: null,
		usage: { input_tokens: 42, output_tokens: 7 },
	});
const no = (status: number, type: string, headers: Readonly<Record<string, string>> = {}) =>
	Response.json({ type: "error", error: { type, message: "no" }, request_id: "req_1" }, { status, headers });

const provider = startProvider(() => message('{"facts":[]}'));
afterAll(provider.stop);
beforeEach(() => provider.answer(() => message('{"facts":["Ana lives in Ulm."]}')));
const start = (model = "claude-sonnet-4-5") => startModel(anthropic({ model, apiKey: "k-2", baseUrl: `${provider.origin}/v1` }), provider.host);

for (const contractTest of [...pluginContract(anthropic, { model: "m", apiKey: "k" }), ...languageModelContract(() => start())])
	test(contractTest.name, contractTest.check);

test("the request is Anthropic's, with the schema", async () => {
	expect(await ask(await start())).toEqual({ object: { facts: ["Ana lives in Ulm."] }, usage: { inputTokens: 42, outputTokens: 7 } });
	const { path, headers, body } = provider.heard.at(-1) ?? { path: "", headers: {}, body: {} };
	expect(path).toBe("/v1/messages");
	expect(headers).toMatchObject({ "x-api-key": "k-2", "anthropic-version": "2023-06-01" });
	expect(body).toMatchObject({
		model: "claude-sonnet-4-5",
		max_tokens: 321,
		system: [{ type: "text", text: question.system }],
		messages: [{ role: "user", content: [{ type: "text", text: question.prompt }] }],
		output_config: { format: { type: "json_schema" } },
	});
});

test("an older model answers by a tool whose input is the schema", async () => {
	const use = { type: "tool_use", id: "toolu_1", name: "json", input: { facts: ["Ana lives in Ulm."] } };
	provider.answer(() =>
		Response.json({
			id: "msg_2",
			type: "message",
			role: "assistant",
			model: "claude-3-5-haiku-latest",
			content: [use],
			stop_reason: "tool_use",
			stop_sequence: null,
			usage: { input_tokens: 1, output_tokens: 1 },
		}),
	);
	expect((await ask(await start("claude-3-5-haiku-latest"))).object).toEqual({ facts: ["Ana lives in Ulm."] });
	expect(provider.heard.at(-1)?.body).toMatchObject({ tools: [{ name: "json" }], tool_choice: { type: "any" } });
});

test("an answer that was cut off is mended", async () => {
	provider.answer(() => message('{"facts":["Ana lives in Ulm.', "max_tokens"));
	expect((await ask(await start())).object).toEqual({ facts: ["Ana lives in Ulm."] });
});

test("refusals", async () => {
	const model = await start();
	provider.answer(() => no(529, "overloaded_error"));
	expect((await refused(ask(model))).slice(0, 2)).toEqual(["MODEL_UNAVAILABLE", 0]);
	provider.answer(() => no(429, "rate_limit_error", { "retry-after": "3" }));
	expect((await refused(ask(model))).slice(0, 2)).toEqual(["MODEL_UNAVAILABLE", 3_000]);
	provider.answer(() => no(401, "authentication_error"));
	expect((await refused(ask(model)))[0]).toBe("MODEL_REFUSED");
	provider.answer(() => no(400, "invalid_request_error"));
	expect((await refused(ask(model)))[0]).toBe("MODEL_DECLINED");
});
