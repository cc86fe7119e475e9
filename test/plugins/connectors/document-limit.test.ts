/** What is left out because the connection has as many documents as it may is told, by every sync in which it is so. */

import { expect, test } from "bun:test";
import imap from "../../../plugins/connectors/imap/index.ts";
import webCrawler from "../../../plugins/connectors/web-crawler/index.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { peerMail, startImapPeer } from "../../doubles/imap-peer.ts";
import { signIn } from "../../doubles/sign-in.ts";
import { listedSides } from "./listed-sides.ts";
import { html, link, startSitePeer } from "./site-peer.ts";
import { syncOnce } from "./sync-once.ts";

for (const [name, open] of Object.entries(listedSides)) {
	test(`${name}: more than the connection may have is told, also when nothing has changed`, async () => {
		const { plugin, peer, metadata, signsIn = false } = await open();
		const connector = await startConnector(plugin, createConnectorHost([peer.host]));
		const call = { metadata, ...(signsIn && { accessToken: await signIn(connector) }) };
		const isTold = ({ warnings }: { readonly warnings: readonly string[] }) => warnings.some((warning) => warning.startsWith("DOCUMENT_LIMIT_REACHED"));
		const full = await syncOnce(connector, { ...call, documentsMax: 5 });
		const again = await syncOnce(connector, { ...call, documentsMax: 5, cursor: full.cursor });
		peer.close();
		// A feed that is the same is not read.
		expect([full, again].map(isTold)).toEqual([true, name !== "rss"]);
		expect([full.puts.length, again.puts.length]).toEqual([5, 0]);
	});
}

test("a mail account with more mails than the connection may have is told", async () => {
	const peer = await startImapPeer({ INBOX: Array.from({ length: 9 }, (_, i) => peerMail(`${i}`)) });
	const { host, port, username, password } = peer;
	const connector = await startConnector(imap(), createConnectorHost([`${host}:${port}`]));
	const call = { metadata: { host, port, username, password, tls: false }, documentsMax: 5 };
	const full = await syncOnce(connector, call);
	const again = await syncOnce(connector, { ...call, cursor: full.cursor });
	const whole = await syncOnce(connector, { ...call, documentsMax: 9, cursor: again.cursor });
	peer.close();
	const told = [expect.stringMatching(/^DOCUMENT_LIMIT_REACHED: .* 5 documents/)];
	expect([full.warnings, again.warnings, whole.warnings]).toEqual([told, told, []]);
});

test("a website with more pages than the connection may have is told", async () => {
	const peer = await startSitePeer({ "/": html(`${link("/a")} ${link("/b")}`), "/a": html("a"), "/b": html("b") });
	const connector = await startConnector(webCrawler(), createConnectorHost([peer.host]));
	const crawl = async (documentsMax: number) => (await syncOnce(connector, { metadata: { startUrl: peer.origin }, documentsMax })).warnings;
	const [few, enough] = [await crawl(2), await crawl(3)];
	peer.close();
	expect([few, enough]).toEqual([[expect.stringMatching(/^DOCUMENT_LIMIT_REACHED: .* 2 documents/)], []]);
});
