import { afterEach, describe, expect, test } from "bun:test";
import { deflateRawSync } from "node:zlib";
import { type Change, type Log, limits, ServiceError } from "cairn-memory";
import github from "../../../plugins/connectors/github/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { kept } from "../../contract/connector-scene.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { peerDiscussion } from "../../doubles/github-discussions.ts";
import { blobSha, type GithubPeer, type PeerRepository, peerIssue, peerRepository, startGithubPeer } from "../../doubles/github-peer.ts";
import { createStep } from "../../doubles/step.ts";

const peers: GithubPeer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(repositories: Readonly<Record<string, PeerRepository>>): Promise<GithubPeer> {
	const peer = await startGithubPeer(repositories);
	peers.push(peer);
	return peer;
}

const metadataFor = ({ token, endpoint, repositories }: GithubPeer, more: Record<string, unknown> = {}) => ({
	...{ token, endpoint, repositories: [...repositories.keys()].join(", "), issues: true },
	...more,
});

async function refusalOf(run: () => unknown): Promise<ServiceError> {
	try {
		await run();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error("it was expected to be refused");
}

async function syncOnce(peer: GithubPeer, more: Record<string, unknown> = {}, cursor: Parameters<typeof kept>[0] | null = null, documentsMax = 1_000) {
	const connector = await startConnector(github(), createConnectorHost([peer.host]));
	const step = createStep();
	const changes: Change[] = [];
	for await (const change of connector.sync(connector.configure(metadataFor(peer, more), documentsMax), cursor, step)) changes.push(change);
	const puts = changes.flatMap((change) => (change.kind === "put" ? [change.item] : []));
	const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.key] : []));
	return { puts, removed, keys: puts.map(({ key }) => key), warnings: step.warnings.map(({ code }) => code), cursor: kept(changes.at(-1)?.cursor() ?? {}) };
}

async function scene() {
	const repository = peerRepository({ "README.md": "# Words of the readme", "docs/guide.md": "words of the guide", "src/main.c": "int main;" }, [
		peerIssue(1),
		peerIssue(2, { isPullRequest: true }),
	]);
	const peer = await startGithubPeer({ "harbour/tides": repository });
	const good = metadataFor(peer);
	const there = () =>
		new Map([
			...[...repository.files].filter(([path]) => path.endsWith(".md")).map(([path, text]) => [`harbour/tides/${path}`, String(text)] as const),
			...repository.issues.filter((one) => one.isPullRequest !== true).map(({ number, body }) => [`harbour/tides#${number}`, body ?? ""] as const),
		]);
	return {
		start: (log: Log) => startConnector(github(), createConnectorHost([peer.host], log)),
		metadata: good,
		nonsense: [
			{ metadata: { ...good, token: undefined }, key: "token" },
			{ metadata: { ...good, token: "has a space" }, key: "token" },
			{ metadata: { ...good, repositories: "harbour" }, key: "repositories" },
			{ metadata: { ...good, repositories: "harbour/.." }, key: "repositories" },
			{ metadata: { ...good, repositories: "harbour/tides/../../user" }, key: "repositories" },
			{ metadata: { ...good, issues: "yes" }, key: "issues" },
			{ metadata: { ...good, discussions: "yes" }, key: "discussions" },
			{ metadata: { ...good, include: "docs" }, key: "include" },
			{ metadata: { ...good, endpoint: "https://user:password@github.example" }, key: "endpoint" },
		],
		refused: { ...good, token: "github_pat_of_somebody_else" },
		there,
		change: async () => {
			repository.files.set("README.md", "# Other words");
			repository.files.set("docs/new.md", "words of the new page");
			repository.files.delete("docs/guide.md");
		},
		stall: () => {
			peer.isStalled = true;
		},
		close: async () => peer.close(),
	};
}

for (const contractTest of [...pluginContract(github), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("files", () => {
	test("only documents are read, unless patterns say which; links, empty and too large files never", async () => {
		const repository = peerRepository({
			"a.md": "a",
			"B.ORG": "b",
			"c.rs": "fn main() {}",
			"docs/d e#f.adoc": "d",
			"empty.md": "",
			"link.md": "a.md",
			"big.md": "x".repeat(limits.fileBytesMax + 1),
			"docs/figure.pdf": "%PDF",
		});
		repository.links.add("link.md");
		const peer = await open({ "harbour/tides": repository });
		const all = await syncOnce(peer);
		expect([all.keys.sort(), all.warnings]).toEqual([["harbour/tides/B.ORG", "harbour/tides/a.md", "harbour/tides/docs/d e#f.adoc"], ["GITHUB_FILES_SKIPPED"]]);
		expect((await syncOnce(peer, { include: "/docs/**", exclude: "/**/*.adoc" })).keys).toEqual(["harbour/tides/docs/figure.pdf"]);
	});

	test("a file comes with its name, its page and whether others may see it", async () => {
		const repository = peerRepository({ "docs/day one.md": "# Day one" });
		repository.isPrivate = true;
		const peer = await open({ "harbour/tides": repository });
		const url = `${peer.endpoint}/web/harbour/tides/blob/main/docs/day%20one.md`;
		expect((await syncOnce(peer)).puts).toEqual([
			{
				key: "harbour/tides/docs/day one.md",
				content: { kind: "file", bytes: expect.anything(), fileName: "day one.md", claimedMediaType: null, charset: null, address: url },
				title: null,
				metadata: { repository: "harbour/tides", visibility: "private", path: "docs/day one.md", url },
				containerTag: null,
			},
		]);
	});

	test("a tree that GitHub cuts is read folder by folder, to the last file", async () => {
		const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`part-${i % 4}/deep/${i % 3}/page-${i}.md`, `words of ${i}`]));
		const peer = await open({ "harbour/tides": peerRepository({ "README.md": "top", ...files }) });
		const whole = (await syncOnce(peer)).keys.sort();
		peer.treeMax = 8;
		const cut = await syncOnce(peer);
		expect([cut.keys.sort(), cut.warnings]).toEqual([whole, []]);
		expect(whole).toHaveLength(61);
	});

	test("a folder of a cut tree that is not there all at once removes nothing", async () => {
		const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`part-${i % 4}/page-${i}.md`, `words of ${i}`]));
		const peer = Object.assign(await open({ "harbour/tides": peerRepository(files) }), { treeMax: 8 });
		const first = await syncOnce(peer);
		peer.repositories.get("harbour/tides")?.files.set("part-0/page-0.md", "other words");
		peer.troubles.push({ path: `/git/trees/${Buffer.from("part-1/").toString("hex")}`, status: 404 });
		const second = await syncOnce(peer, {}, first.cursor);
		expect([first.keys.length, second.removed, second.warnings]).toEqual([20, [], ["GITHUB_REPOSITORY_FAILED"]]);
	});

	test("a file that moved is one gone and one new; a repository without a commit is empty", async () => {
		const repository = peerRepository({ "old.md": "words" });
		const peer = await open({ "harbour/tides": repository, "harbour/empty": peerRepository() });
		const first = await syncOnce(peer);
		repository.files.delete("old.md");
		repository.files.set("new.md", "words");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.removed, second.keys]).toEqual([["harbour/tides/old.md"], ["harbour/tides/new.md"]]);
	});

	test("a new file never drives out an old one", async () => {
		const repository = peerRepository({ "m.md": "m", "n.md": "n" });
		const peer = await open({ "harbour/tides": repository });
		const first = await syncOnce(peer, {}, null, 2);
		repository.files = new Map([["a.md", "a"], ...repository.files]);
		expect((await syncOnce(peer, {}, first.cursor, 2)).keys).toEqual([]);
		repository.files.delete("n.md");
		const third = await syncOnce(peer, {}, first.cursor, 2);
		expect([third.removed, third.keys]).toEqual([["harbour/tides/n.md"], ["harbour/tides/a.md"]]);
	});
});

describe("issues", () => {
	test("an issue is a document with its comments, and is read again when it was updated", async () => {
		const comments = Array.from({ length: 130 }, (_, i) => ({ user: "bo", body: `Comment ${i}.` }));
		const issue = peerIssue(7, { title: "Tide tables are late", state: "closed", labels: ["bug", "docs"], user: null, comments });
		const peer = await open({ "harbour/tides": peerRepository({}, [issue, peerIssue(8)]) });
		const first = await syncOnce(peer);
		const [item] = first.puts;
		expect(item).toMatchObject({
			key: "harbour/tides#7",
			title: "Tide tables are late",
			metadata: { issue: 7, state: "closed", author: "ghost", labels: "bug, docs", url: `${peer.endpoint}/web/harbour/tides/issues/7` },
		});
		const text = item?.content.kind === "text" ? item.content.text : "";
		expect(text).toStartWith("# Tide tables are late\n\nBy ghost on 2026-01-01, closed, labels: bug, docs.\n\nBody of 7.\n\n## bo on 2026-02-02\n\nComment 0.");
		expect(text).toContain("Comment 129.");
		issue.updatedAt = "2026-03-02T10:00:00Z";
		expect((await syncOnce(peer, {}, first.cursor)).keys).toEqual(["harbour/tides#7"]);
	});

	test("hundreds come page by page; an issue that was deleted is removed; issues that are switched off are none", async () => {
		const repository = peerRepository(
			{},
			Array.from({ length: 250 }, (_, i) => peerIssue(i + 1)),
		);
		const peer = await open({ "harbour/tides": repository });
		const first = await syncOnce(peer);
		expect(first.keys).toHaveLength(250);
		repository.issues.splice(99, 1);
		expect((await syncOnce(peer, {}, first.cursor)).removed).toEqual(["harbour/tides#100"]);
		repository.hasIssues = false;
		expect((await syncOnce(peer, {}, first.cursor)).removed).toHaveLength(250);
		expect((await syncOnce(peer, { issues: false })).keys).toEqual([]);
	});
});

describe("discussions", () => {
	const withDiscussions = { issues: false, discussions: true };

	test("a discussion is a document with its comments and their replies, to the last page of each", async () => {
		const comments = Array.from({ length: 130 }, (_, i) => ({ author: "bo", body: `Comment ${i}.` }));
		const replies = Array.from({ length: 120 }, (_, i) => ({ author: null, body: `Reply ${i}.` }));
		const answered = { author: "cy", body: "At six.", isAnswer: true, replies };
		const repository = peerRepository();
		repository.discussions.push(
			peerDiscussion(7, {
				title: "When is high water?",
				category: "Q&A",
				isAnswered: true,
				closed: true,
				labels: ["tides"],
				comments: [answered, ...comments],
			}),
		);
		const peer = await open({ "harbour/tides": repository });
		const [item, ...others] = (await syncOnce(peer, withDiscussions)).puts;
		expect([item, others]).toMatchObject([
			{
				key: "harbour/tides!7",
				title: "When is high water?",
				metadata: {
					...{ repository: "harbour/tides", visibility: "public", discussion: 7, category: "Q&A", state: "closed", answered: true, author: "ada" },
					...{ createdAt: "2026-02-02T08:00:00Z", updatedAt: "2026-03-01T10:00:00Z", labels: "tides" },
					url: "https://github.example/harbour/tides/discussions/7",
				},
			},
			[],
		]);
		const text = item?.content.kind === "text" ? item.content.text : "";
		expect(text).toStartWith(
			"# When is high water?\n\nBy ada on 2026-02-02, in Q&A, answered, closed.\n\nBody of 7.\n\n## cy on 2026-02-02 (the answer)\n\nAt six.\n\n### ghost on 2026-02-02\n\nReply 0.",
		);
		for (const last of ["Comment 129.", "Reply 119."]) expect(text).toContain(last);
	});

	test("hundreds come page by page; one that has a new comment is read again, one that was deleted is removed; without `discussions` there are none", async () => {
		const repository = peerRepository();
		repository.discussions.push(...Array.from({ length: 250 }, (_, i) => peerDiscussion(i + 1)));
		const peer = await open({ "harbour/tides": repository });
		const first = await syncOnce(peer, withDiscussions);
		expect(first.keys).toHaveLength(250);
		repository.discussions[3]?.comments.push({ author: "bo", body: "More." });
		repository.discussions.splice(99, 1);
		const second = await syncOnce(peer, withDiscussions, first.cursor);
		expect([second.keys, second.removed]).toEqual([["harbour/tides!4"], ["harbour/tides!100"]]);
		const third = await syncOnce(peer, { issues: false }, second.cursor);
		expect([third.keys, third.removed.length]).toEqual([[], 249]);
		expect(peer.asked.filter((path) => path === "/graphql").length).toBeGreaterThan(250);
	});

	test("a token that may not see them keeps what there is, and files and issues go on; a limit that comes with status 200 is waited for", async () => {
		const repository = peerRepository({ "a.md": "a" }, [peerIssue(1)]);
		repository.discussions.push(peerDiscussion(7));
		const peer = await open({ "harbour/tides": repository });
		const first = await syncOnce(peer, { discussions: true });
		expect(first.keys.toSorted()).toEqual(["harbour/tides!7", "harbour/tides#1", "harbour/tides/a.md"]);
		repository.files.set("b.md", "b");
		peer.graphqlError = { type: "FORBIDDEN", message: "Resource not accessible by personal access token" };
		const second = await syncOnce(peer, { discussions: true }, first.cursor);
		expect([second.keys, second.removed, second.warnings]).toEqual([["harbour/tides/b.md"], [], ["GITHUB_DISCUSSIONS_FAILED"]]);
		peer.graphqlError = { type: "RATE_LIMITED", message: "API rate limit exceeded" };
		expect(await refusalOf(() => syncOnce(peer, { discussions: true }, second.cursor))).toMatchObject({ code: "ADDRESS_FAILED", retryAfterMs: 60_000 });
	});

	test("a list that ends in the middle removes nothing of what is behind", async () => {
		const repository = peerRepository(
			{},
			Array.from({ length: 150 }, (_, i) => peerIssue(i + 1)),
		);
		repository.discussions.push(...Array.from({ length: 150 }, (_, i) => peerDiscussion(i + 1_001)));
		const peer = await open({ "harbour/tides": repository });
		const first = await syncOnce(peer, { discussions: true });
		expect(first.keys).toHaveLength(300);
		peer.troubles.push({ path: "/issues?state=all&sort=created&direction=asc&per_page=100&page=2", status: 404 });
		const second = await syncOnce(peer, { discussions: true }, first.cursor);
		expect([second.removed, second.warnings]).toEqual([[], ["GITHUB_REPOSITORY_FAILED"]]);
		peer.troubles.splice(0);
		// GitHub's schema allows a page with others behind it and no cursor.
		repository.hidesCursors = true;
		const third = await syncOnce(peer, { discussions: true }, second.cursor);
		expect([third.removed, third.warnings]).toEqual([[], ["GITHUB_DISCUSSIONS_FAILED"]]);
	});

	test("a discussion that is deleted between two pages of its comments is none", async () => {
		const repository = peerRepository();
		repository.discussions.push(peerDiscussion(7, { comments: Array.from({ length: 130 }, () => ({ author: "bo", body: "A comment." })) }));
		const peer = await open({ "harbour/tides": repository });
		peer.trouble = ({ body }) => {
			if (body.includes('"number":7,"after":"100"')) repository.discussions.splice(0);
			return null;
		};
		expect((await syncOnce(peer, withDiscussions)).keys).toEqual([]);
	});

	test("GitHub Enterprise has GraphQL beside REST, and a repository with a new name is found by the old one", async () => {
		const repository = peerRepository();
		repository.discussions.push(peerDiscussion(7));
		const peer = await open({ "harbour/tides": repository });
		peer.renamed.set("port/tides", "harbour/tides");
		const synced = await syncOnce(peer, { ...withDiscussions, repositories: "port/tides", endpoint: `${peer.endpoint}/api/v3` });
		expect([synced.keys, peer.asked.at(-1)]).toEqual([["port/tides!7"], "/api/graphql"]);
	});
});

describe("conditional requests", () => {
	/** 250 issues are three pages, and with the repository and its tree five requests. */
	const large = () =>
		peerRepository(
			{ "a.md": "a", "docs/b.md": "b" },
			Array.from({ length: 250 }, (_, i) => peerIssue(i + 1, { isPullRequest: i % 10 === 3 })),
		);
	const lists = 5;

	async function again(peer: GithubPeer, cursor: Awaited<ReturnType<typeof syncOnce>>["cursor"] | null, more = {}, documentsMax = 1_000) {
		const [asked, spent] = [peer.asked.length, peer.spent];
		const synced = await syncOnce(peer, more, cursor, documentsMax);
		return { ...synced, asked: peer.asked.length - asked, spent: peer.spent - spent };
	}

	test("a sync of what has not changed costs nothing of the limit, and the next one neither", async () => {
		const peer = await open({ "harbour/tides": large() });
		const first = await syncOnce(peer);
		expect(first.keys).toHaveLength(227);
		const second = await again(peer, first.cursor);
		expect([second.keys, second.removed, second.asked, second.spent]).toEqual([[], [], lists, 0]);
		const third = await again(peer, second.cursor);
		expect([third.asked, third.spent, third.cursor]).toEqual([lists, 0, second.cursor]);
	});

	test("what has changed costs its list and itself", async () => {
		const repository = large();
		const peer = await open({ "harbour/tides": repository });
		const first = await syncOnce(peer);
		repository.files.set("a.md", "other words");
		const second = await again(peer, first.cursor);
		expect([second.keys, second.spent]).toEqual([["harbour/tides/a.md"], 2]);
		Object.assign(repository.issues[120] ?? {}, { updatedAt: "2026-05-01T10:00:00Z" });
		const third = await again(peer, second.cursor);
		expect([third.keys, third.spent]).toEqual([["harbour/tides#121"], 2]);
		// Pages behind it have other issues now.
		repository.issues.splice(149, 1);
		const fourth = await again(peer, third.cursor);
		expect([fourth.removed, fourth.spent]).toEqual([["harbour/tides#150"], 2]);
		expect((await again(peer, fourth.cursor)).spent).toBe(0);
	});

	test("issues that have changed cost the pages on which they are, a request for each, and themselves", async () => {
		const repository = peerRepository(
			{ "a.md": "a" },
			Array.from({ length: 490 }, (_, i) => peerIssue(i + 1)),
		);
		const peer = await open({ "harbour/tides": repository });
		const touch = (day: number, isTouched: (i: number) => boolean) => {
			for (const [i, issue] of repository.issues.entries()) if (isTouched(i)) Object.assign(issue, { updatedAt: `2026-05-0${day}T10:00:00Z` });
		};
		const first = await again(peer, null);
		touch(1, (i) => i >= 480);
		const together = await again(peer, first.cursor);
		touch(2, (i) => i % 49 === 0);
		const apart = await again(peer, together.cursor);
		expect([together, apart].map(({ keys, spent }) => [keys.length, spent])).toEqual([
			[10, 11],
			[10, 15],
		]);
	});

	test("a file that could not be read is read at the next sync, though the tree is the same", async () => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a", "b.md": "b" }) });
		peer.troubles.push({ path: `/git/blobs/${blobSha("b")}`, status: 500 });
		const first = await syncOnce(peer);
		expect(first.keys).toEqual(["harbour/tides/a.md"]);
		peer.troubles.length = 0;
		expect((await again(peer, first.cursor)).keys).toEqual(["harbour/tides/b.md"]);
	});

	test("a change that a kill kept from being read is not missed", async () => {
		const repository = peerRepository({ "a.md": "a", "b.md": "b" });
		const peer = await open({ "harbour/tides": repository });
		const first = await syncOnce(peer);
		repository.files.set("a.md", "other words").set("b.md", "more words");
		const connector = await startConnector(github(), createConnectorHost([peer.host]));
		const changes = connector.sync(connector.configure(metadataFor(peer), 1_000), first.cursor, createStep())[Symbol.asyncIterator]();
		const announced = (await changes.next()).value as Change;
		const cursor = kept(announced.cursor());
		await changes.return?.();
		expect([announced.kind, (await syncOnce(peer, {}, cursor)).keys]).toEqual(["checkpoint", ["harbour/tides/a.md", "harbour/tides/b.md"]]);
	});

	test("a new issue behind a full last page is found; what a limit leaves out comes when there is room; other patterns list anew", async () => {
		const repository = peerRepository(
			{ "a.md": "a", "src/main.c": "int main;" },
			Array.from({ length: 100 }, (_, i) => peerIssue(i + 1)),
		);
		const peer = await open({ "harbour/tides": repository });
		const first = await syncOnce(peer, {}, null, 50);
		expect(first.keys).toHaveLength(50);
		const second = await again(peer, first.cursor, {}, 1_000);
		expect(second.keys).toHaveLength(51);
		repository.issues.push(peerIssue(101));
		expect((await again(peer, second.cursor)).keys).toEqual(["harbour/tides#101"]);
		expect((await again(peer, second.cursor, { include: "/**" })).keys.toSorted()).toEqual(["harbour/tides#101", "harbour/tides/src/main.c"]);
	});

	test("pages that a version without tags has kept are listed again", async () => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a" }) });
		peer.troubles.push({ path: "/git/trees/", status: 500 });
		const connector = await startConnector(github(), createConnectorHost([peer.host]));
		const changes: Change[] = [];
		const failing = refusalOf(async () => {
			for await (const change of connector.sync(connector.configure(metadataFor(peer), 1_000), null, createStep())) changes.push(change);
		});
		expect((await failing).mayPass).toBe(true);
		peer.troubles.length = 0;
		const { listing } = kept(changes.at(-1)?.cursor() ?? {}) as { listing: { scope: string } };
		const page = JSON.stringify({ name: "harbour/tides", branch: "main", url: peer.endpoint, isPrivate: false });
		const packed = { "harbour/tides": deflateRawSync(page).toString("base64") };
		const old = { listing: { ...listing, scope: listing.scope.replace(/^2 /, ""), packed } };
		expect((await syncOnce(peer, {}, old)).keys).toEqual(["harbour/tides/a.md"]);
	});

	test("lists of more than the documents that the connection may have leave no tags, which would be of no use", async () => {
		const peer = await open({ "harbour/tides": large() });
		const { cursor } = await syncOnce(peer, {}, null, 50);
		const { answers } = cursor["tags"] as { answers: Record<string, unknown> };
		expect(Object.keys(answers).filter((address) => address.includes("/issues"))).toEqual([]);
	});

	test("a tree that is read folder by folder is asked for once while its top is the same", async () => {
		const repository = peerRepository(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`part-${i % 3}/${i}.md`, `${i}`])));
		const peer = Object.assign(await open({ "harbour/tides": repository }), { treeMax: 12 });
		const first = await syncOnce(peer, { issues: false });
		expect(first.keys).toHaveLength(30);
		const second = await again(peer, first.cursor, { issues: false });
		expect([second.removed, second.asked, second.spent]).toEqual([[], 2, 0]);
		repository.files.delete("part-2/29.md");
		expect((await again(peer, second.cursor, { issues: false })).removed).toEqual(["harbour/tides/part-2/29.md"]);
	});
});

describe("what GitHub refuses", () => {
	test("a wrong token and a repository that is not there are told when the connection is made", async () => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a" }) });
		const connector = await startConnector(github(), createConnectorHost([peer.host]));
		const checked = (more: Record<string, unknown>) => refusalOf(() => connector.check?.(connector.configure(metadataFor(peer, more), 10), createStep()));
		expect(await checked({ token: "github_pat_wrong" })).toMatchObject({ code: "CONNECTION_UNAUTHORIZED" });
		expect((await checked({ repositories: "harbour/nowhere" })).message).toContain("harbour/nowhere");
		await connector.check?.(connector.configure(metadataFor(peer), 10), createStep());
	});

	test("a repository that is not there any more keeps its documents, and the others go on", async () => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a" }), "harbour/boats": peerRepository({ "b.md": "b" }) });
		const metadata = { repositories: "harbour/tides, harbour/boats" };
		const first = await syncOnce(peer, metadata);
		peer.repositories.get("harbour/boats")?.files.set("c.md", "c");
		peer.repositories.delete("harbour/tides");
		const second = await syncOnce(peer, metadata, first.cursor);
		expect([second.keys, second.removed, second.warnings]).toEqual([["harbour/boats/c.md"], [], ["GITHUB_REPOSITORY_FAILED"]]);
		const third = await syncOnce(peer, { repositories: "harbour/boats" }, first.cursor);
		expect(third.removed).toEqual(["harbour/tides/a.md"]);
	});

	test("files that the token may no longer see are kept", async () => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a" }) });
		const first = await syncOnce(peer);
		peer.troubles.push({ path: "/git/trees/", status: 404 });
		expect((await syncOnce(peer, {}, first.cursor)).removed).toEqual([]);
	});

	test.each([404, 409])("a list of issues that answers %d is not one that is switched off: what there is stays, and files go on", async (status) => {
		const repository = peerRepository({ "a.md": "a" }, [peerIssue(1), peerIssue(2)]);
		const peer = await open({ "harbour/tides": repository });
		const first = await syncOnce(peer);
		peer.troubles.push({ path: "/issues?", status });
		repository.files.set("b.md", "b");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.keys, second.removed, second.warnings]).toEqual([["harbour/tides/b.md"], [], ["GITHUB_ISSUES_FAILED"]]);
		peer.troubles.length = 0;
		repository.issues.splice(0, 1);
		const third = await syncOnce(peer, {}, second.cursor);
		expect([third.keys, third.removed, third.warnings]).toEqual([[], ["harbour/tides#1"], []]);
	});

	test("a repository that is blocked for legal reasons keeps its documents, and the others go on", async () => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a" }), "harbour/boats": peerRepository({ "b.md": "b" }) });
		const first = await syncOnce(peer);
		peer.troubles.push({ path: "/repos/harbour/tides", status: 451, message: "Repository access blocked" });
		peer.repositories.get("harbour/boats")?.files.set("c.md", "c");
		const second = await syncOnce(peer, {}, first.cursor);
		expect([second.keys, second.removed, second.warnings]).toEqual([["harbour/boats/c.md"], [], ["GITHUB_REPOSITORY_FAILED"]]);
	});

	test("a list that goes on at another host is not one that has ended", async () => {
		const issues = Array.from({ length: 150 }, (_, i) => peerIssue(i + 1));
		const [peer, other] = [await open({ "harbour/tides": peerRepository({}, issues) }), await open({})];
		const first = await syncOnce(peer);
		// As where an endpoint inside leads to the public one.
		const link = `<${other.endpoint}/repos/harbour/tides/issues?page=2>; rel="next"`;
		peer.trouble = ({ path }) => (path.includes("/issues?") ? { status: 200, headers: { link }, body: "[]" } : null);
		expect(await refusalOf(() => syncOnce(peer, {}, first.cursor))).toMatchObject({ code: "CONNECTION_INVALID" });
		expect(other.asked).toEqual([]);
		const connector = await startConnector(github(), createConnectorHost([peer.host]));
		peer.trouble = ({ path }) => (path.includes("/user/repos") ? { status: 200, headers: { link }, body: "[]" } : null);
		const listed = await connector.resources?.list(connector.configure(metadataFor(peer), 10), { page: 1, perPage: 10, parent: null }, createStep());
		expect(listed?.resources).toEqual([]);
	});

	test("what an organisation forbids for one repository is no end of the others; a repository with a new name is found by the old one", async () => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a" }), "harbour/locked": peerRepository() });
		peer.troubles.push({ path: "/repos/harbour/locked", status: 403, message: "Resource protected by organization SAML enforcement" });
		peer.renamed.set("harbour/water", "harbour/tides");
		const { keys, warnings } = await syncOnce(peer, { repositories: "harbour/locked, harbour/water" });
		expect([keys, warnings]).toEqual([["harbour/water/a.md"], ["GITHUB_REPOSITORY_FAILED"]]);
	});

	test("the token is never sent to another host", async () => {
		const [peer, other] = [await open({ "harbour/tides": peerRepository({ "a.md": "a" }) }), await open({})];
		peer.troubles.push({ path: "/repos/", status: 302, headers: { location: `${other.endpoint}/repos/harbour/tides` } });
		expect(await refusalOf(() => syncOnce(peer))).toMatchObject({ code: "CONNECTION_INVALID" });
		expect(other.asked).toEqual([]);
	});

	const soon = () => String(Math.floor(Date.now() / 1_000) + 600);
	test.each([
		[
			"the hour's requests are used up",
			{
				status: 403,
				// When it is asked for, since other tests of this file may take longer than a minute on a busy machine.
				get headers() {
					return { "x-ratelimit-remaining": "0", "x-ratelimit-reset": soon() };
				},
				message: "API rate limit exceeded",
			},
			600_000,
		],
		["a second limit with a time", { status: 429, headers: { "retry-after": "45" }, message: "You have exceeded a secondary rate limit" }, 45_000],
		["a second limit without one", { status: 403, message: "You have exceeded a secondary rate limit" }, 60_000],
	])("%s: it waits as long as GitHub says, without a lost attempt, and goes on where it was", async (_, trouble, pauseMs) => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a", "b.md": "b" }) });
		peer.troubles.push({ path: "/git/blobs/", ...trouble });
		const error = await refusalOf(() => syncOnce(peer));
		expect(error).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
		expect(error.message).toContain("429");
		expect(error.retryAfterMs).toBeWithin(pauseMs - 60_000, pauseMs + 1);
		peer.troubles.length = 0;
		expect((await syncOnce(peer)).keys).toHaveLength(2);
	});

	test("a failure that passes is tried again at once; one file that cannot be read is passed over, and read at the next sync", async () => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a", "b.md": "b", "c.md": "c" }) });
		peer.troubles.push({ path: "/git/blobs/", status: 500, once: true }, { path: `/git/blobs/${blobSha("b")}`, status: 500 });
		const first = await syncOnce(peer);
		expect([first.keys, first.warnings]).toEqual([["harbour/tides/a.md", "harbour/tides/c.md"], ["GITHUB_ITEM_FAILED"]]);
		peer.troubles.length = 0;
		expect((await syncOnce(peer, {}, first.cursor)).keys).toEqual(["harbour/tides/b.md"]);
	});

	test("an answer in another shape is told as such", async () => {
		const peer = await open({ "harbour/tides": peerRepository({ "a.md": "a" }) });
		peer.troubles.push({ path: "/git/trees/", status: 200, message: "no tree" });
		expect(await refusalOf(() => syncOnce(peer))).toMatchObject({ code: "ADDRESS_CHANGED" });
	});
});

describe("repositories to choose from", () => {
	test("are listed in pages, and chosen by their names", async () => {
		const peer = await open(Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`harbour/part-${i}`, peerRepository({ "a.md": `a${i}` })])));
		const connector = await startConnector(github(), createConnectorHost([peer.host]));
		const config = connector.configure(metadataFor(peer, { repositories: "" }), 10);
		expect((await syncOnce(peer, { repositories: "" })).keys).toEqual([]);
		const listed = await connector.resources?.list(config, { page: 2, perPage: 2, parent: null }, createStep());
		expect(listed?.resources.map(({ full_name }) => full_name)).toEqual(["harbour/part-2", "harbour/part-3"]);
		const chosen = connector.resources?.choose(config, listed?.resources ?? []);
		expect(chosen).toMatchObject({ repositories: ["harbour/part-2", "harbour/part-3"], token: peer.token });
		expect((await refusalOf(() => connector.resources?.choose(config, [{ id: 7 }]))).message).toContain("repositories");
	});
});
