/** OpenAI's protocol: what is asked, what is read, and what each refusal means. */

import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { ServiceError } from "cairn-memory";
import openai from "../../../plugins/language-models/openai/index.ts";
import { languageModelContract, pluginContract } from "../../contract/index.ts";
import { hanging, refusing, saying } from "../../doubles/model-server.ts";
import { ask, question, refused, startModel, startProvider } from "./speak.ts";

const provider = startProvider(() => saying('{"facts":["Ana lives in Ulm."]}'));
afterAll(provider.stop);
beforeEach(() => provider.answer(() => saying('{"facts":["Ana lives in Ulm."]}')));
const start = (more: object = {}) => startModel(openai({ model: "m", baseUrl: `${provider.origin}/v1`, ...more }), provider.host);

for (const contractTest of [...pluginContract(openai, { model: "m" }), ...languageModelContract(() => start())]) test(contractTest.name, contractTest.check);

test("the request is OpenAI's, with the schema and nothing about us", async () => {
	expect(await ask(await start({ apiKey: "k-1" }))).toEqual({ object: { facts: ["Ana lives in Ulm."] }, usage: { inputTokens: 100, outputTokens: 20 } });
	const { path, headers, body } = provider.heard.at(-1) ?? { path: "", headers: {}, body: {} };
	expect(path).toBe("/v1/chat/completions");
	expect(headers).toMatchObject({ authorization: "Bearer k-1", "content-type": "application/json" });
	expect(headers["user-agent"]).toStartWith("Cairn/");
	expect(body).toEqual({
		model: "m",
		max_tokens: 321,
		temperature: 0,
		messages: [
			{ role: "system", content: question.system },
			{ role: "user", content: question.prompt },
		],
		response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema: question.schema } },
	});
});

test("without a key none is sent", async () => {
	await ask(await start());
	expect(provider.heard.at(-1)?.headers).not.toHaveProperty("authorization");
});

describe("a refusal", () => {
	const cases: readonly (readonly [status: number, code: string, retryAfter: string | null, ms: number | null])[] = [
		[429, "MODEL_UNAVAILABLE", "7", 7_000],
		[429, "MODEL_UNAVAILABLE", null, 0],
		[503, "MODEL_UNAVAILABLE", "soon", 0],
		[500, "MODEL_UNAVAILABLE", null, null],
		[529, "MODEL_UNAVAILABLE", null, 0],
		[408, "MODEL_UNAVAILABLE", null, null],
		[401, "MODEL_REFUSED", null, null],
		[402, "MODEL_REFUSED", null, null],
		[403, "MODEL_REFUSED", null, null],
		[404, "MODEL_REFUSED", null, null],
		[400, "MODEL_DECLINED", null, null],
		[413, "MODEL_DECLINED", null, null],
		[422, "MODEL_DECLINED", null, null],
	];
	for (const [status, code, retryAfter, ms] of cases) {
		test(`${status}${retryAfter === null ? "" : ` with Retry-After ${retryAfter}`} is ${code}`, async () => {
			provider.answer(() => refusing(status, "no", retryAfter === null ? {} : { "retry-after": retryAfter }));
			expect((await refused(ask(await start()))).slice(0, 2)).toEqual([code, ms]);
		});
	}

	test("with a date to wait for is waited for", async () => {
		provider.answer(() => refusing(429, "no", { "retry-after": new Date(Date.now() + 60_000).toUTCString() }));
		const [, ms] = await refused(ask(await start()));
		expect(ms).toBeGreaterThan(50_000);
		expect(ms).toBeLessThanOrEqual(60_000);
	});

	test("that repeats the key or quotes the question does not tell", async () => {
		provider.answer(() => refusing(401, "Incorrect API key provided: sk-proj-abcdefgh12345678. You said: x"));
		expect((await refused(ask(await start())))[2]).not.toContain("abcdefgh");
		provider.answer(() => refusing(400, "Ana lives in Ulm. is too long"));
		expect((await refused(ask(await start())))[2]).not.toContain("Ana");
	});

	test("that repeats a key of any form shows it nowhere, nor in its cause", async () => {
		const plugin = openai({ model: "m", baseUrl: `${provider.origin}/v1`, apiKey: "0f4c97aa/plain+form" });
		for (const key of ["0f4c97aa/plain+form", "0f4c97aa\\/plain+form"]) {
			provider.answer(() => new Response(`{"error":{"message":"who is ${key}?","type":"x","param":null,"code":null}}`, { status: 401 }));
			const thrown: unknown = await startModel(plugin, provider.host)
				.then((model) => ask(model))
				.catch((error: unknown) => error);
			if (!(thrown instanceof ServiceError)) throw new Error("it was answered");
			expect(thrown.args).toEqual(["openai", "it answered with status 401: who is …?"]);
			expect(Bun.inspect(thrown.cause, { depth: 9 })).not.toContain("97aa");
		}
	});

	test("by leading elsewhere is none of our ways", async () => {
		provider.answer(() => new Response(null, { status: 307, headers: { location: `${provider.origin}/other` } }));
		const before = provider.heard.length;
		expect((await refused(ask(await start())))[0]).toBe("MODEL_REFUSED");
		expect(provider.heard.length).toBe(before + 1);
	});
});

describe("an answer that is none", () => {
	const odd: readonly (readonly [string, () => Response | Promise<Response>])[] = [
		["a page", () => new Response("<html>gateway</html>", { headers: { "content-type": "text/html" } })],
		["half of it", () => new Response('{"id":"x","choices":[{"mess', { headers: { "content-type": "application/json" } })],
		["nothing", () => new Response("")],
		["no choice", () => Response.json({ id: "x", choices: [] })],
	];
	for (const [name, answer] of odd) {
		test(`${name}: may pass`, async () => {
			provider.answer(answer);
			expect((await refused(ask(await start())))[0]).toBe("MODEL_UNAVAILABLE");
		});
	}

	test("silence: may pass", async () => {
		provider.answer(hanging);
		expect((await refused(ask(await start({ timeoutMs: 120 }))))[0]).toBe("MODEL_UNAVAILABLE");
	});

	test("nobody there: may pass", async () => {
		const model = await startModel(openai({ model: "m", baseUrl: "http://127.0.0.1:1/v1" }), {
			...provider.host,
			fetch: (await import("../../../server/boot/network/guarded-fetch.ts")).createGuardedFetch({ allow: ["127.0.0.1:1"], log: () => undefined }),
		});
		expect((await refused(ask(model)))[0]).toBe("MODEL_UNAVAILABLE");
	});

	test("an address that is not allowed: refused, and not asked again and again", async () => {
		const model = await startModel(openai({ model: "m", baseUrl: "http://127.0.0.1:9/v1" }), provider.host);
		expect((await refused(ask(model)))[0]).toBe("MODEL_REFUSED");
	});

	test("prose: was paid for, and holds no object", async () => {
		provider.answer(() => saying("I cannot do that."));
		expect(await ask(await start())).toEqual({ usage: { inputTokens: 100, outputTokens: 20 } });
	});

	test("an endless one is not taken", async () => {
		provider.answer(() => saying("x".repeat(9 * 1024 * 1024)));
		expect((await refused(ask(await start())))[0]).toBe("MODEL_DECLINED");
	});
});

test("OpenAI itself gets the members its newer models want", async () => {
	const bodies: Record<string, unknown>[] = [];
	const fetch = async (_: string, { body }: { body?: Uint8Array }) => {
		bodies.push(JSON.parse(new TextDecoder().decode(body)));
		const bytes = new Uint8Array(await saying('{"facts":[]}').arrayBuffer());
		const headers = new Map([["content-type", "application/json"]]);
		return { address: new URL("https://api.openai.com/"), status: 200, headers, claimedMediaType: null, charset: null, fileName: null, bytes };
	};
	for (const model of ["gpt-4o-mini", "gpt-5-mini", "o4-mini"]) await ask(await startModel(openai({ model, apiKey: "k" }), { ...provider.host, fetch }));
	expect(bodies.map(({ max_tokens, max_completion_tokens, temperature }) => [max_tokens, max_completion_tokens, temperature])).toEqual([
		[undefined, 321, 0],
		[undefined, 321, undefined],
		[undefined, 321, undefined],
	]);
});
