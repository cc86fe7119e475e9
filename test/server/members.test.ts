/** Documents inside of documents over HTTP: archives and mails are taken apart; what is inside lives, changes and goes with them. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { tarOf } from "../doubles/tar-of.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";
import { zipOf, zipOfParts } from "../doubles/zip-of.ts";

type Body = Readonly<Record<string, unknown>>;
interface Shown {
	readonly id: string;
	readonly status: string;
	readonly title: string | null;
	readonly content: string | null;
	readonly customId: string | null;
	readonly parentId: string | null;
	readonly filepath: string | null;
	readonly containerTags: readonly string[];
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly remarks: readonly { readonly code: string; readonly message: string }[];
	readonly members: { readonly total: number; readonly statuses: Readonly<Record<string, number>> };
	readonly error: { readonly code: string } | null;
}

let server: TestServer;
beforeAll(async () => {
	server = await startTestServer();
});
afterAll(() => server.dispose());

const json = async <Answer = Body>(answer: Promise<Response>) => (await (await answer).json()) as Answer;

/** Uploads, and waits until it and everything inside of it is finished. */
async function upload(client: TestClient, name: string, bytes: Uint8Array, fields: Readonly<Record<string, string>> = {}): Promise<Shown> {
	const form = new FormData();
	form.set("file", new File([new Uint8Array(bytes)], name));
	for (const [field, value] of Object.entries({ containerTags: "attic", dreaming: "instant", ...fields })) form.set(field, value);
	const { id } = await json<Shown>(client.send("POST", "/v3/documents/file", undefined, { body: form }));
	return settled(client, id);
}

async function settled(client: TestClient, id: string): Promise<Shown> {
	await client.finished(id);
	await until(async () => (await json<{ readonly total: number }>(client.send("GET", "/v3/documents/processing"))).total === 0);
	return json<Shown>(client.send("GET", `/v3/documents/${id}`));
}

async function all(client: TestClient, body: Body = {}): Promise<readonly Shown[]> {
	return (await json<{ readonly memories: readonly Shown[] }>(client.send("POST", "/v3/documents/list", { limit: 100, includeContent: true, ...body })))
		.memories;
}

const inside = async (client: TestClient, id: string) =>
	(await all(client, { filters: { AND: [{ key: "parentId", value: id }] } })).toSorted((a, b) =>
		String(a.metadata["memberPath"]).localeCompare(String(b.metadata["memberPath"])),
	);

const pathsOf = (documents: readonly Shown[]) => documents.map(({ metadata }) => metadata["memberPath"]);

const mail = (subject: string, name: string, content: string | Uint8Array) =>
	new TextEncoder().encode(
		`Subject: ${subject}\nFrom: ola@example.org\nTo: siri@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee the attachment of ${subject}.\n--b\nContent-Type: application/octet-stream; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString("base64")}\n--b--\n`,
	);

describe("an archive", () => {
	test("becomes a list of its files, and each of them a document of its own", async () => {
		const client = await server.client();
		const bytes = zipOf({ "notes/tide.txt": "The tide turns at noon.", "notes/crew.md": "# Crew\n\nSiri rows.", "notes/": "" });
		const archive = await upload(client, "attic.zip", bytes, { metadata: JSON.stringify({ project: "reef" }), filepath: "/boxes/attic.zip" });
		expect(archive.status).toBe("done");
		expect(archive.title).toBe("attic.zip");
		expect(archive.content).toBe("- notes/tide.txt\n- notes/crew.md");
		expect(archive.members).toEqual({ total: 2, statuses: { done: 2 } });
		const members = await inside(client, archive.id);
		expect(pathsOf(members)).toEqual(["notes/crew.md", "notes/tide.txt"]);
		for (const member of members) {
			expect(member.containerTags).toEqual(["attic"]);
			expect(member.parentId).toBe(archive.id);
			expect(member.metadata["project"]).toBe("reef");
			expect(member.filepath).toBe(`/boxes/attic.zip/${String(member.metadata["memberPath"])}`);
		}
		const found = await json<{ readonly results: readonly Body[] }>(client.send("POST", "/v3/search", { q: "when does the tide turn", limit: 1 }));
		expect(found.results[0]?.["documentId"]).toBe(members[1]?.id);
	});

	test("in GZIP and TAR is read as well", async () => {
		const client = await server.client();
		const tar = await upload(client, "box.tar.gz", gzipSync(tarOf({ "a/long.txt": "One.", [`${"deep/".repeat(30)}b.txt`]: "Two." })));
		expect(tar.members).toEqual({ total: 2, statuses: { done: 2 } });
		const one = await upload(client, "log.txt.gz", gzipSync("The keeper slept."));
		const [log] = await inside(client, one.id);
		expect([log?.content, log?.title]).toEqual(["The keeper slept.", "log.txt"]);
	});

	test("in a mail in an archive is read, and no deeper", async () => {
		const client = await server.client();
		const deepest = zipOf({ "too-deep.txt": "Nobody reads this." });
		const letter = mail("Plans", "plans.zip", zipOf({ "plan.txt": "Row at dawn.", "more.zip": deepest }));
		const archive = await upload(client, "mails.zip", zipOf({ "plans.eml": letter }));
		expect(archive.members).toEqual({ total: 4, statuses: { done: 4 } });
		const texts = await all(client);
		expect(texts.map(({ content }) => content)).toContain("Row at dawn.");
		expect(texts.map(({ content }) => content)).not.toContain("Nobody reads this.");
		const more = texts.find(({ metadata }) => metadata["memberPath"] === "more.zip");
		const { remarks } = await json<Shown>(client.send("GET", `/v3/documents/${more?.id}`));
		expect(remarks.map(({ code }) => code)).toEqual(["MEMBERS_REFUSED"]);
	});

	test("with names that lead elsewhere, or twice to one place, gives texts and no paths", async () => {
		const client = await server.client();
		const parts = ["../../etc/passwd", "C:\\Windows\\a.txt", "/srv/b.txt", "twin.txt", "twin.txt", "tab\there.txt"];
		const archive = await upload(client, "odd.zip", zipOfParts(parts.map((name, index) => ({ name, content: `Text number ${index}.` }))));
		expect(pathsOf(await inside(client, archive.id))).toEqual(["etc/passwd", "srv/b.txt", "tab here.txt", "twin (2).txt", "twin.txt", "Windows/a.txt"]);
	});

	test("none of whose files can be had fails with the truth", async () => {
		const client = await server.client();
		const good = zipOf({ "secret.txt": "A secret." });
		const locked = good.slice();
		for (const [at, byte] of good.entries())
			if (byte === 0x50 && good[at + 1] === 0x4b && (good[at + 2] === 3 || good[at + 2] === 1)) locked[at + (good[at + 2] === 3 ? 6 : 8)] = 1;
		expect((await upload(client, "locked.zip", locked)).error?.code).toBe("FILE_ENCRYPTED");
		expect((await upload(client, "empty.zip", zipOf({ "only/a/folder/": "" }))).error?.code).toBe("CONTENT_EMPTY");
		expect((await upload(client, "broken.gz", Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9))).error?.code).toBe("FILE_BROKEN");
		const seven = await upload(client, "box.7z", Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4, ...new Uint8Array(64)));
		expect(seven.error?.code).toBe("FILE_BROKEN");
	});

	test("with one bad file keeps the others", async () => {
		const client = await server.client();
		const archive = await upload(client, "mixed.zip", zipOf({ "good.txt": "All is well.", "bad.pdf": "%PDF-1.7 nothing" }));
		expect(archive.status).toBe("done");
		expect(archive.members).toEqual({ total: 2, statuses: { done: 1, failed: 1 } });
	});
});

describe("a mail", () => {
	test("keeps its text attachments inside, and gives the others away", async () => {
		const client = await server.client();
		const letter = await upload(client, "letter.eml", mail("Papers", "papers.zip", zipOf({ "a.txt": "Paper one." })));
		expect(letter.content).toContain("See the attachment of Papers.");
		expect(letter.remarks).toEqual([]);
		expect(pathsOf(await inside(client, letter.id))).toEqual(["papers.zip"]);
		expect(letter.members).toEqual({ total: 2, statuses: { done: 2 } });
	});
});

describe("what is inside", () => {
	test("follows new bytes of the archive: changed, new and vanished files", async () => {
		const client = await server.client();
		const fields = { customId: "box" };
		const first = await upload(client, "box.zip", zipOf({ "same.txt": "Same.", "old.txt": "Old.", "changed.txt": "Before." }), fields);
		const before = new Map((await inside(client, first.id)).map((member) => [member.metadata["memberPath"], member.id]));
		const second = await upload(client, "box.zip", zipOf({ "same.txt": "Same.", "changed.txt": "After.", "new.txt": "New." }), fields);
		expect(second.id).toBe(first.id);
		const after = await inside(client, second.id);
		expect(after.map(({ content }) => content)).toEqual(["After.", "New.", "Same."]);
		for (const path of ["same.txt", "changed.txt"]) expect(after.find(({ metadata }) => metadata["memberPath"] === path)?.id).toBe(before.get(path) ?? "");
		expect((await client.send("GET", `/v3/documents/${before.get("old.txt")}`)).status).toBe(404);
		expect((await all(client)).length).toBe(4);
	});

	test("is where its archive is, and cannot be changed apart from it", async () => {
		const client = await server.client();
		const archive = await upload(client, "box.zip", zipOf({ "a.txt": "Rye bread." }), { metadata: JSON.stringify({ title: "Box" }) });
		const [member] = await inside(client, archive.id);
		expect(member?.title).toBe("a.txt");
		for (const change of [{ containerTags: ["elsewhere"] }, { content: "Other." }, { customId: "mine" }]) {
			const refused = await client.send("PATCH", `/v3/documents/${member?.id}`, change);
			expect(refused.status).toBe(409);
			expect((await json<{ readonly code: string }>(Promise.resolve(refused))).code).toBe("DOCUMENT_INSIDE");
		}
		await client.send("PATCH", `/v3/documents/${archive.id}`, { containerTags: ["cellar"], metadata: { shelf: 3, title: "Case" } });
		const [moved] = await inside(client, archive.id);
		expect([moved?.containerTags, moved?.metadata["shelf"], moved?.metadata["title"]]).toEqual([["cellar"], 3, undefined]);
		const found = await json<{ readonly results: readonly Body[] }>(client.send("POST", "/v3/search", { q: "rye bread", containerTags: ["attic"] }));
		expect(found.results).toEqual([]);
	});

	test("goes with the archive and comes back with it", async () => {
		const client = await server.client();
		const archive = await upload(client, "box.zip", zipOf({ "a.txt": "Rye bread.", "inner.zip": zipOf({ "b.txt": "Black tea." }) }));
		const before = await all(client);
		expect(before.length).toBe(4);
		const removed = await json(
			client.send("DELETE", "/v3/documents/bulk", { ids: [archive.id, String(before.find(({ content }) => content === "Rye bread.")?.id)] }),
		);
		expect([removed["deletedCount"], await all(client)]).toEqual([4, []]);
		await client.send("POST", "/v3/documents/restore", { removalId: removed["removalId"] });
		await settled(client, archive.id);
		const whole = (documents: readonly Shown[]) =>
			documents.map(({ id, content, status }) => ({ id, content, status })).toSorted((a, b) => a.id.localeCompare(b.id));
		expect(whole(await all(client))).toEqual(whole(before));
		expect((await client.send("DELETE", `/v3/documents/${archive.id}`)).status).toBe(204);
		expect(await all(client)).toEqual([]);
	});

	test("is seen by the keys that see its archive, and by them alone", async () => {
		const owner = await server.client();
		const keyFor = async (containerTag: string) => {
			const made = await json(owner.send("POST", "/v3/auth/agent-key", { name: containerTag, permission: "write", containerTags: [containerTag] }));
			return server.clientWith(String(made["key"]));
		};
		const [attic, cellar] = [await keyFor("attic"), await keyFor("cellar")];
		const archive = await upload(owner, "box.zip", zipOf({ "a.txt": "Rye bread.", "b.txt": "Black tea." }));
		const [member] = await inside(owner, archive.id);
		const seen = async (client: TestClient) => [(await client.send("GET", `/v3/documents/${member?.id}`)).status, (await inside(client, archive.id)).length];
		expect([await seen(attic), await seen(cellar)]).toEqual([
			[200, 2],
			[404, 0],
		]);
		expect((await json<Shown>(attic.send("GET", `/v3/documents/${archive.id}`))).members.total).toBe(2);
		await owner.send("PATCH", `/v3/documents/${archive.id}`, { containerTags: ["cellar"] });
		expect([await seen(attic), await seen(cellar)]).toEqual([
			[404, 0],
			[200, 2],
		]);
		expect((await attic.send("DELETE", `/v3/documents/${archive.id}`)).status).toBe(404);
		expect((await cellar.send("DELETE", `/v3/documents/${archive.id}`)).status).toBe(204);
		expect(await all(owner)).toEqual([]);
	});

	test("is nobody else's", async () => {
		const [owner, other] = [await server.client(), await server.client()];
		const archive = await upload(owner, "box.zip", zipOf({ "a.txt": "Rye bread." }));
		const [member] = await inside(owner, archive.id);
		expect((await other.send("GET", `/v3/documents/${member?.id}`)).status).toBe(404);
		expect((await other.send("GET", `/v3/documents/${encodeURIComponent(member?.customId ?? "")}`)).status).toBe(404);
		expect(await inside(other, archive.id)).toEqual([]);
		const forged = await other.send("POST", "/v3/documents", { content: "Forged.", customId: member?.customId });
		expect(forged.status).toBe(400);
	});
});
