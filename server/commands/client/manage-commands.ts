/** `cairn forget`, `cairn containers`, `cairn keys` and `cairn status`: the commands that manage a server. */

import { z } from "zod";
import { defaultContainerTag } from "../../../core/model/container.ts";
import { type ClientCommand, failWithUsage } from "./client-command.ts";
import { table } from "./table.ts";

const forgetResponse = z.object({ id: z.string() });

export const forget: ClientCommand = {
	usage: "MEMORY",
	description: "forgets the memory with this id or text",
	options: {},
	run: async ({ args, api, container, print }) => {
		if (args.length === 0) failWithUsage("forget", forget);
		const idOrText = args.join(" ");
		const reference = /^[A-Za-z0-9]{22}$/.test(idOrText) ? { id: idOrText } : { content: idOrText };
		const response = await api.ask("DELETE", "/v4/memories", { ...reference, containerTag: container ?? defaultContainerTag });
		print(response, [`forgotten: ${forgetResponse.parse(response).id}`]);
		return 0;
	},
};

const containersResponse = z.array(z.object({ containerTag: z.string(), documentCount: z.number(), memoryCount: z.number() }));

export const containers: ClientCommand = {
	usage: "",
	description: "lists containers, with the number of their documents and memories",
	options: {},
	run: async ({ api, print }) => {
		const response = await api.ask("GET", "/v3/container-tags/list");
		const rows = containersResponse
			.parse(response)
			.map(({ containerTag, documentCount, memoryCount }) => [containerTag, `${documentCount} documents`, `${memoryCount} memories`]);
		print(response, table(rows));
		return 0;
	},
};

const keysResponse = z.object({ keys: z.array(z.object({ id: z.string(), name: z.string().nullish(), enabled: z.boolean().optional() })) });
const newKeyResponse = z.object({ key: z.string() });

export const keys: ClientCommand = {
	usage: "[make NAME --container TAG | revoke ID]",
	description: "lists API keys, makes one for a container, or revokes one",
	options: { "read-only": { type: "boolean", description: "makes a key that may only read" } },
	run: async ({ args: [action, name, ...extraArgs], options, api, container, print }) => {
		if (action === undefined) {
			const response = await api.ask("GET", "/v3/auth/keys");
			print(response, table(keysResponse.parse(response).keys.map((key) => [key.id, key.name ?? "", key.enabled === false ? "disabled" : ""])));
		} else if (action === "make" && name !== undefined && container !== null && extraArgs.length === 0) {
			const permission = options["read-only"] === true ? "read" : "write";
			const response = await api.ask("POST", "/v3/auth/scoped-key", { name, containerTags: [{ containerTag: container, permission }] });
			print(response, [newKeyResponse.parse(response).key]);
		} else if (action === "revoke" && name !== undefined && extraArgs.length === 0) {
			print(await api.ask("DELETE", `/v3/auth/keys/${encodeURIComponent(name)}`), [`revoked: ${name}`]);
		} else failWithUsage("keys", keys);
		return 0;
	},
};

const readyResponse = z.object({ status: z.string(), queue: z.object({ waiting: z.number(), leased: z.number() }).optional() });

export const status: ClientCommand = {
	usage: "",
	description: "tells whether the server is ready, and how many jobs are waiting",
	options: {},
	run: async ({ api, url, print }) => {
		const response = await api.ask("GET", "/ready");
		const { status: state, queue } = readyResponse.parse(response);
		print(response, [`${url}: ${state}`, ...(queue === undefined ? [] : [`${queue.waiting} jobs waiting, ${queue.leased} in progress`])]);
		return 0;
	},
};
