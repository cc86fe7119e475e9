/** `cairn forget`, `cairn containers`, `cairn keys` and `cairn status`. */

import { z } from "zod";
import { type ClientCommand, wronglyCalled } from "./client-command.ts";
import { table } from "./table.ts";

const forgotten = z.object({ id: z.string() });

export const forget: ClientCommand = {
	words: "MEMORY --container TAG",
	meaning: "forgets the memory with this id or these words",
	options: {},
	run: async ({ words, api, container, print }) => {
		if (words.length === 0 || container === null) wronglyCalled("forget", forget);
		const said = words.join(" ");
		const which = /^[A-Za-z0-9]{22}$/.test(said) ? { id: said } : { content: said };
		const answer = await api.ask("DELETE", "/v4/memories", { ...which, containerTag: container });
		print(answer, [`forgotten: ${forgotten.parse(answer).id}`]);
		return 0;
	},
};

const containerRows = z.array(z.object({ containerTag: z.string(), documentCount: z.number(), memoryCount: z.number() }));

export const containers: ClientCommand = {
	words: "",
	meaning: "lists containers, with how much is in each",
	options: {},
	run: async ({ api, print }) => {
		const answer = await api.ask("GET", "/v3/container-tags/list");
		const rows = containerRows
			.parse(answer)
			.map(({ containerTag, documentCount, memoryCount }) => [containerTag, `${documentCount} documents`, `${memoryCount} memories`]);
		print(answer, table(rows));
		return 0;
	},
};

const keyRows = z.object({ keys: z.array(z.object({ id: z.string(), name: z.string().nullish(), enabled: z.boolean().optional() })) });
const newKey = z.object({ key: z.string() });

export const keys: ClientCommand = {
	words: "[make NAME --container TAG | revoke ID]",
	meaning: "lists keys, makes one for a container, or revokes one",
	options: { "read-only": { type: "boolean", meaning: "a key that only reads" } },
	run: async ({ words: [action, name, ...more], options, api, container, print }) => {
		if (action === undefined) {
			const answer = await api.ask("GET", "/v3/auth/keys");
			print(answer, table(keyRows.parse(answer).keys.map((key) => [key.id, key.name ?? "", key.enabled === false ? "disabled" : ""])));
		} else if (action === "make" && name !== undefined && container !== null && more.length === 0) {
			const permission = options["read-only"] === true ? "read" : "write";
			const answer = await api.ask("POST", "/v3/auth/scoped-key", { name, containerTags: [{ containerTag: container, permission }] });
			print(answer, [newKey.parse(answer).key]);
		} else if (action === "revoke" && name !== undefined && more.length === 0) {
			print(await api.ask("DELETE", `/v3/auth/keys/${encodeURIComponent(name)}`), [`revoked: ${name}`]);
		} else wronglyCalled("keys", keys);
		return 0;
	},
};

const readiness = z.object({ status: z.string(), queue: z.object({ waiting: z.number(), leased: z.number() }).optional() });

export const status: ClientCommand = {
	words: "",
	meaning: "says whether the server is ready, and how much waits",
	options: {},
	run: async ({ api, address, print }) => {
		const answer = await api.ask("GET", "/ready");
		const { status: word, queue } = readiness.parse(answer);
		print(answer, [`${address}: ${word}`, ...(queue === undefined ? [] : [`${queue.waiting} waiting, ${queue.leased} in hand`])]);
		return 0;
	},
};
