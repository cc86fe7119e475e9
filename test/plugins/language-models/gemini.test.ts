/** Google's own API: what is asked, what is read, and what each refusal means. */

import { afterAll, beforeEach, expect, test } from "bun:test";
import gemini from "../../../plugins/language-models/gemini/index.ts";
import { languageModelContract, pluginContract } from "../../contract/index.ts";
import { ask, question, refused, startModel, startProvider } from "./speak.ts";

const content = (text: string, finishReason = "STOP") =>
	Response.json({
		candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason, index: 0 }],
		usageMetadata: { promptTokenCount: 42, candidatesTokenCount: 7, totalTokenCount: 49 },
		modelVersion: "gemini-2.5-flash",
	});
const no = (code: number, status: string, headers: Readonly<Record<string, string>> = {}) =>
	Response.json({ error: { code, message: "no", status } }, { status: code, headers });

const provider = startProvider(() => content('{"facts":[]}'));
afterAll(provider.stop);
beforeEach(() => provider.answer(() => content('{"facts":["Ana lives in Ulm."]}')));
const start = () => startModel(gemini({ model: "gemini-2.5-flash", apiKey: "k-3", baseUrl: `${provider.origin}/v1beta` }), provider.host);

for (const contractTest of [...pluginContract(gemini, { model: "m", apiKey: "k" }), ...languageModelContract(() => start())])
	test(contractTest.name, contractTest.check);

test("the request is Google's, with the schema, and the key is in no address", async () => {
	expect(await ask(await start())).toEqual({ object: { facts: ["Ana lives in Ulm."] }, usage: { inputTokens: 42, outputTokens: 7 } });
	const { path, headers, body } = provider.heard.at(-1) ?? { path: "", headers: {}, body: {} };
	expect(path).toBe("/v1beta/models/gemini-2.5-flash:generateContent");
	expect(headers).toMatchObject({ "x-goog-api-key": "k-3" });
	expect(body).toMatchObject({
		contents: [{ role: "user", parts: [{ text: question.prompt }] }],
		systemInstruction: { parts: [{ text: question.system }] },
		generationConfig: { responseMimeType: "application/json", maxOutputTokens: 321, temperature: 0 },
	});
	expect(JSON.stringify(body)).toContain('"facts"');
});

test("what it holds back for safety is an answer without an object", async () => {
	provider.answer(() => Response.json({ candidates: [{ finishReason: "SAFETY", index: 0 }], usageMetadata: { promptTokenCount: 42, totalTokenCount: 42 } }));
	expect(await ask(await start())).toMatchObject({ usage: { inputTokens: 42 } });
	expect((await ask(await start())).object).toBeUndefined();
});

test("refusals", async () => {
	const model = await start();
	provider.answer(() => no(503, "UNAVAILABLE"));
	expect((await refused(ask(model))).slice(0, 2)).toEqual(["MODEL_UNAVAILABLE", 0]);
	provider.answer(() => no(429, "RESOURCE_EXHAUSTED", { "retry-after": "2" }));
	expect((await refused(ask(model))).slice(0, 2)).toEqual(["MODEL_UNAVAILABLE", 2_000]);
	provider.answer(() => no(403, "PERMISSION_DENIED"));
	expect((await refused(ask(model)))[0]).toBe("MODEL_REFUSED");
	provider.answer(() => no(400, "INVALID_ARGUMENT"));
	expect((await refused(ask(model)))[0]).toBe("MODEL_DECLINED");
});
