/** The router without a server around it: what is slow or broken beside an answer does not hold it up. */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { OrganisationId } from "cairn-memory";
import type { ApiKey } from "cairn-memory/stores";
import { fail } from "../../../core/errors/fail.ts";
import type { Conversation } from "../../../core/ingest/converse.ts";
import type { Document } from "../../../core/model/document.ts";
import type { Service } from "../../../core/service.ts";
import { createGuardedRelay } from "../../../server/boot/network/guarded-relay.ts";
import { createRouter } from "../../../server/router/create-router.ts";
import { createTurns } from "../../../server/router/remember-turns.ts";
import { routerRoutes } from "../../../server/routes/router.ts";
import { type ChatProvider, saying, startChatProvider } from "../../doubles/chat-provider.ts";

const caller = { id: "key", organisation: "org" as OrganisationId, role: "write", grants: null } as ApiKey;
const lines: string[] = [];
let provider: ChatProvider;

beforeAll(async () => {
	provider = await startChatProvider();
});
afterAll(() => provider.stop());
beforeEach(() => void lines.splice(0));

function routerWith(converse: Service["converse"], searchMemories: Service["searchMemories"] = async () => []) {
	const sleeps: number[] = [];
	const world = {
		now: () => new Date(),
		steadyNow: () => new Date(),
		elapsedMs: () => 0,
		sleep: async (ms: number) => void sleeps.push(ms),
		randomBytes: (count: number) => new Uint8Array(count),
		random: () => 0,
		log: (level: string, message: string, facts: object = {}) => void lines.push(`${level} ${message} ${JSON.stringify(facts)}`),
	};
	const service = { converse, searchMemories, named: async () => null } as unknown as Service;
	const turns = createTurns(service, world);
	const relay = createGuardedRelay(provider.baseUrl, []);
	const profiles = { profile: async () => ({}) };
	const router = createRouter({ service, profiles, turns, relay, providerKey: null, tokensMax: 1_000, world });
	const [chat, models] = routerRoutes(router);
	const ask = async (conversationId: string, signal?: AbortSignal) => {
		const headers = { "x-sm-user-id": "ada", "x-sm-conversation-id": conversationId };
		const request = new Request("http://localhost/v1/chat/completions", {
			...{ method: "POST", headers, body: '{"messages":[{"role":"user","content":"Hello?"}]}' },
			...(signal !== undefined && { signal }),
		});
		return (await chat?.handle({ request, params: {}, caller })) as Response;
	};
	return { ask, turns, sleeps, hasNoTimeout: [chat?.hasNoTimeout, models?.hasNoTimeout] };
}

const done = {} as Document;

test("an answer does not wait until its turn is stored, and turns of one conversation are stored one after another", async () => {
	const begun: string[] = [];
	const first = Promise.withResolvers<Document>();
	const { ask, turns } = routerWith((_, { id }) => {
		begun.push(id);
		return begun.length === 1 ? first.promise : Promise.resolve(done);
	});
	for (const id of ["a", "a", "b"]) expect(await (await ask(id)).text()).toContain("Good to know.");
	expect(begun).toEqual(["a", "b"]);
	first.resolve(done);
	await turns.settled();
	expect(begun).toEqual(["a", "b", "a"]);
	expect(lines).toEqual([]);
});

test("a fault that may pass is tried again, and one that stays is a line in the log", async () => {
	const kept: Conversation[] = [];
	let tries = 0;
	const { ask, turns, sleeps } = routerWith(async (_, conversation) => {
		tries++;
		if (conversation.id === "full") throw fail("CUSTOM_ID_TAKEN", "full");
		if (tries < 3) throw fail("OPEN_FILES_EXHAUSTED");
		kept.push(conversation);
		return done;
	});
	await (await ask("passing")).text();
	await turns.settled();
	expect([tries, sleeps, kept.map(({ id, containerTags }) => [id, containerTags])]).toEqual([3, [2_000, 4_000], [["passing", ["ada"]]]]);
	expect(lines).toEqual([]);
	await (await ask("full")).text();
	await turns.settled();
	expect(lines).toEqual([expect.stringMatching(/^warn a turn was not stored .*"full".*CUSTOM_ID_TAKEN/)]);
});

test("a fault of the memory never keeps an answer away", async () => {
	const { ask, hasNoTimeout } = routerWith(
		async () => done,
		async () => Promise.reject(new Error("the disk is gone")),
	);
	const answer = await ask("a");
	expect([answer.status, answer.headers.get("x-supermemory-error"), answer.headers.get("x-supermemory-context-modified")]).toEqual([200, "INTERNAL", "false"]);
	expect(await answer.text()).toContain("Good to know.");
	// Whatever the client has called it.
	expect(provider.last().headers["content-type"]).toBe("application/json");
	expect(provider.last().text).toBe('{"messages":[{"role":"user","content":"Hello?"}]}');
	expect(lines).toEqual([expect.stringMatching(/^error a chat was routed without memories .*the disk is gone/)]);
	// Without it Bun ends a connection on which a provider thinks for longer than half a minute.
	expect(hasNoTimeout).toEqual([true, true]);
});

test("a client that leaves before the answer begins ends the question, and is no fault", async () => {
	const asked = Promise.withResolvers<void>();
	const closed = Promise.withResolvers<void>();
	provider.behave((response) => {
		asked.resolve();
		response.once("close", () => closed.resolve());
	});
	const { ask } = routerWith(async () => done);
	const leaving = new AbortController();
	const answer = ask("a", leaving.signal);
	await asked.promise;
	leaving.abort();
	expect((await answer).status).toBe(499);
	await closed.promise;
	expect(lines).toEqual([expect.stringMatching(/^warn a turn was not stored .*the client disconnected before the response began/)]);
	provider.behave(saying("Good to know."));
});
