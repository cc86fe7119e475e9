/** A listing that is cut off again and again goes on where it was: no page of it is asked for twice, so a first sync costs as much as there is. */

import { expect, test } from "bun:test";
import type { Step } from "cairn-memory";
import imap from "../../../plugins/connectors/imap/index.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { peerMail, startImapPeer } from "../../doubles/imap-peer.ts";
import { signIn } from "../../doubles/sign-in.ts";
import { endure } from "./endure.ts";
import { interrupted, listedSides } from "./listed-sides.ts";

for (const [name, open] of Object.entries(listedSides)) {
	test(`${name}: a listing that is cut off again and again asks for each page once, and once more where it was refused`, async () => {
		const { plugin, peer, metadata, count, pages = /./, readsMeanwhile = false, signsIn = false } = await open();
		const asked = new Map<string, number>();
		const documents = new Map<string, string>();
		const start = () =>
			startConnector(
				plugin,
				interrupted(createConnectorHost([peer.host]), asked, (address) => pages.test(address) && (readsMeanwhile || documents.size === 0)),
			);
		const accessToken: Step["accessToken"] = signsIn ? await signIn(await startConnector(plugin, createConnectorHost([peer.host]))) : undefined;
		const { attempts } = await endure({ start, metadata, kills: 0, ...(accessToken !== undefined && { accessToken }) }, documents, null);
		peer.close();
		expect(documents.size).toBe(count);
		expect(attempts).toBeGreaterThan(2);
		// A feed is read one page after another, and goes on at the page before.
		const most = readsMeanwhile ? 4 : 2;
		expect([...asked].filter(([, times]) => times > most)).toEqual([]);
	});
}

test("imap: mails that were looked at before the server wanted a pause are not looked at again", async () => {
	const peer = await startImapPeer({ INBOX: Array.from({ length: 900 }, (_, i) => peerMail(`${i}`)) });
	const { host, port, username, password } = peer;
	const ranges: string[] = [];
	peer.trouble = (command) => {
		const range = /UID FETCH (\S*[:,]\S*) /.exec(command)?.[1];
		if (range !== undefined) ranges.push(range);
		return range !== undefined && ranges.length % 2 === 0 ? "[UNAVAILABLE] later" : null;
	};
	const documents = new Map<string, string>();
	const start = () => startConnector(imap(), createConnectorHost([`${host}:${port}`]));
	await endure({ start, metadata: { host, port, username, password, tls: false }, kills: 0 }, documents, null);
	peer.close();
	expect(documents.size).toBe(900);
	// Five of two hundred each, of which every second was refused once.
	expect([new Set(ranges).size, ranges.length]).toEqual([5, 9]);
});
