/** The relay reaches the one host that its operator has named, wherever that is, and says in a word of its own why it does not. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { ServiceError } from "../../../../core/errors/fail.ts";
import { createGuardedRelay } from "../../../../server/boot/network/guarded-relay.ts";
import { type ChatProvider, json, startChatProvider } from "../../../doubles/chat-provider.ts";

let provider: ChatProvider;
beforeAll(async () => {
	provider = await startChatProvider((response) => json(response, 418, { error: "a teapot" }));
});
afterAll(() => provider.stop());

const asked = (path: string) => ({
	path,
	headers: { authorization: "Bearer secret" },
	body: new TextEncoder().encode("{}"),
	signal: new AbortController().signal,
});

async function refusal(base: string, path = "/chat/completions"): Promise<unknown> {
	try {
		return (await createGuardedRelay(base, [])(asked(path))).statusCode;
	} catch (thrown) {
		return thrown instanceof ServiceError ? `${thrown.code} ${thrown.message}` : thrown;
	}
}

test("a private host that is named is reached, and its answer is handed over whatever its status", async () => {
	const answer = await createGuardedRelay(provider.baseUrl, [])(asked("/chat/completions?a=b"));
	const pieces: Uint8Array[] = [];
	for await (const piece of answer) pieces.push(piece as Uint8Array);
	expect([answer.statusCode, Buffer.concat(pieces).toString()]).toEqual([418, '{"error":"a teapot"}']);
	expect([provider.last().path, provider.last().text]).toEqual(["/v1/chat/completions?a=b", "{}"]);
});

test("no path leads to another host, and a redirect is not followed", async () => {
	const before = provider.asked.length;
	expect(await refusal("http://127.0.0.1:1", `@${new URL(provider.baseUrl).host}/v1/chat/completions`)).toMatch(
		/^ROUTER_UNAVAILABLE .*http:\/\/127\.0\.0\.1:1,/,
	);
	expect(provider.asked.length).toBe(before);
	provider.behave((response) => void response.writeHead(302, { location: `${provider.baseUrl}/elsewhere` }).end());
	expect(await refusal(provider.baseUrl)).toMatch(/^ROUTER_UNAVAILABLE .*it redirects/);
	expect(provider.asked.length).toBe(before + 1);
});

test("an error names the origin alone, and the reason", async () => {
	expect(await refusal("http://nowhere.invalid/v1/team-secret")).toBe(
		"ROUTER_UNAVAILABLE the provider behind the memory router, http://nowhere.invalid, does not respond: its host name is unknown",
	);
});
