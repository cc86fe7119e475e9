/** Facts that age are put before somebody after a while: confirmed they wait again, changed or forgotten they are gone. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { reviewDateOf } from "../../core/model/ageing.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

type Body = Readonly<Record<string, unknown>>;
const json = async (answer: Promise<Response>) => (await (await answer).json()) as Body;
const dayMs = 24 * 60 * 60_000;

const clock = { at: Date.parse("2026-03-01T00:00:00Z") };
let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer([], {}, { world: { now: () => new Date(clock.at) } });
	client = await server.client();
});
afterAll(() => server.dispose());

interface Aged {
	readonly id: string;
	readonly memory: string;
	readonly reviewAfter: string;
}
async function due(query = ""): Promise<{ readonly memories: readonly Aged[]; readonly nextCursor: string | null }> {
	return (await json(client.send("GET", `/v4/memories/review?containerTag=home${query}`))) as never;
}
const texts = async () => (await due()).memories.map(({ memory }) => memory);

test("a letter of long ago is due at once, what is said today in a year, a plan sooner; what lasts never", async () => {
	const letter = await json(
		client.send("POST", "/v3/documents", {
			content: "Ada lives in Lisbon. Ada is allergic to nuts.",
			containerTag: "home",
			metadata: { documentDate: "2019-05-01" },
			dreaming: "instant",
		}),
	);
	await client.finished(String(letter["id"]));
	const memories = [{ content: "Ben works at Brightwater" }, { content: "Cleo wants to buy a boat" }, { content: "Ben was born in Kiel", isStatic: true }];
	await client.send("POST", "/v4/memories", { containerTag: "home", memories });
	expect(await texts()).toEqual(["Ada lives in Lisbon."]);
	clock.at += 91 * dayMs;
	expect(await texts()).toEqual(["Ada lives in Lisbon.", "Cleo wants to buy a boat"]);
	clock.at += 275 * dayMs;
	expect(await texts()).toEqual(["Ada lives in Lisbon.", "Cleo wants to buy a boat", "Ben works at Brightwater"]);
});

test("page by page, and renewed, changed or forgotten one by one", async () => {
	const first = await due("&limit=2");
	expect(first.memories.map(({ memory }) => memory)).toEqual(["Ada lives in Lisbon.", "Cleo wants to buy a boat"]);
	expect((await due(`&limit=2&cursor=${first.nextCursor}`)).memories.map(({ memory }) => memory)).toEqual(["Ben works at Brightwater"]);
	const [ada, cleo] = first.memories;
	const confirmed = await json(client.send("POST", "/v4/memories/confirm", { containerTag: "home", id: ada?.id }));
	expect(confirmed).toMatchObject({ id: ada?.id, memory: "Ada lives in Lisbon.", reviewAfter: new Date(clock.at + 365 * dayMs).toISOString() });
	await client.send("DELETE", "/v4/memories", { containerTag: "home", id: cleo?.id });
	expect(await texts()).toEqual(["Ben works at Brightwater"]);
	await client.send("PATCH", "/v4/memories", { containerTag: "home", content: "Ben works at Brightwater", newContent: "Ben works at Northgate" });
	expect(await texts()).toEqual([]);
	clock.at += 366 * dayMs;
	expect((await texts()).sort()).toEqual(["Ada lives in Lisbon.", "Ben works at Northgate"]);
});

test("what does not age, is not current, or is not there cannot be confirmed", async () => {
	const { memories } = await json(client.send("POST", "/v4/memories", { containerTag: "home", memories: [{ content: "Dora likes rye bread" }] }));
	const id = (memories as readonly { readonly id: string }[])[0]?.id;
	const confirm = async (body: Body) => {
		const answer = await client.send("POST", "/v4/memories/confirm", body);
		return [answer.status, (await json(Promise.resolve(answer)))["code"]];
	};
	expect(await confirm({ containerTag: "home", id })).toEqual([409, "MEMORY_NOT_REVIEWABLE"]);
	await client.send("DELETE", "/v4/memories", { containerTag: "home", id });
	expect(await confirm({ containerTag: "home", id })).toEqual([409, "MEMORY_NOT_REVIEWABLE"]);
	expect(await confirm({ containerTag: "other", id })).toEqual([404, "MEMORY_MISSING"]);
	expect(await confirm({ containerTag: "home", id: "nobody" })).toEqual([404, "MEMORY_MISSING"]);
});

test("which sentences age", () => {
	const now = new Date("2026-01-01T00:00:00Z");
	const days = (text: string) => {
		const date = reviewDateOf({ text, forgetAfter: null }, null, now);
		return date === null ? null : (date.getTime() - now.getTime()) / dayMs;
	};
	const ages: Readonly<Record<string, number | null>> = {
		"Ada is 34 years old.": 365,
		"Ada turned 30.": 365,
		"Ada works at Brightwater.": 365,
		"Ada is an architect at Brightwater.": 365,
		"Ada lives with Ben.": 365,
		"Ada moved to Porto.": 365,
		"Ada's phone number is 0151 23.": 365,
		"Ada is married to Ben.": 365,
		"Ada is planning to move to York.": 90,
		"Ada is currently in Rome.": 90,
		"Ada is looking for a flat.": 90,
		"Ada likes tea.": null,
		"Ada was born in 1978.": null,
		"Ada used to live in Ulm.": null,
		"Ada no longer works at Brightwater.": null,
		"The bridge is 34 metres long.": null,
	};
	expect(Object.fromEntries(Object.keys(ages).map((text) => [text, days(text)]))).toEqual(ages as never);
});
