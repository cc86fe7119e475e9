/** `cairn orgs`: organisations and their quotas, for an operator. */

import { z } from "zod";
import { type ClientCall, type ClientCommand, failWithUsage } from "./client-command.ts";
import { table } from "./table.ts";

const quotaNames = { documents: "documents", bytes: "bytes", tokens: "tokensPerDay", requests: "requestsPerMinute" } as const;

const limit = z.number().nullable();
const organisation = z.object({
	id: z.string(),
	name: z.string(),
	state: z.string(),
	quotas: z.object({ documents: limit, bytes: limit, tokensPerDay: limit, requestsPerMinute: limit }),
	usage: z.object({ documents: z.number(), bytes: z.number(), tokensToday: z.number() }),
});
const listResponse = z.object({ organisations: z.array(organisation) });
const newResponse = organisation.extend({ key: z.string() });

export const orgs: ClientCommand = {
	usage: "[list | create NAME | quotas ID | remove ID]",
	description: "lists organisations; adds one and prints its key; replaces the quotas of one; removes one with all of its data",
	options: {
		documents: { type: "string", value: "N", description: "quota of documents; without it there is none" },
		bytes: { type: "string", value: "N", description: "quota of bytes stored" },
		tokens: { type: "string", value: "N", description: "quota of tokens of language models a day" },
		requests: { type: "string", value: "N", description: "quota of requests a minute" },
	},
	run: async (call) => {
		const { args, api, print } = call;
		const [action = "list", ...words] = args;
		const name = words.join(" ");
		const path = `/v3/organisations/${encodeURIComponent(name)}`;
		if (action === "list" && name === "") {
			const response = await api.ask("GET", "/v3/organisations");
			print(response, table(listResponse.parse(response).organisations.map(row)));
		} else if (action === "create" && name !== "") {
			const response = await api.ask("POST", "/v3/organisations", { name, quotas: quotasOf(call) });
			const { id, key } = newResponse.parse(response);
			print(response, [`added: ${id}`, `its key, which is shown only now: ${key}`]);
		} else if (action === "quotas" && words.length === 1) {
			const response = await api.ask("PUT", `${path}/quotas`, quotasOf(call));
			print(response, table([row(organisation.parse(response))]));
		} else if (action === "remove" && words.length === 1) {
			print(await api.ask("DELETE", path), [`removing: ${name}; its keys have stopped, and its data is being erased`]);
		} else failWithUsage("orgs", orgs);
		return 0;
	},
};

function row({ id, name, state, quotas, usage }: z.infer<typeof organisation>): readonly string[] {
	const of = (used: number, max: number | null, unit: string) => `${used}${max === null ? "" : ` of ${max}`} ${unit}`;
	return [
		...[id, name, state, of(usage.documents, quotas.documents, "documents"), of(usage.bytes, quotas.bytes, "bytes")],
		of(usage.tokensToday, quotas.tokensPerDay, "tokens today"),
		quotas.requestsPerMinute === null ? "" : `${quotas.requestsPerMinute} requests a minute`,
	];
}

/** The server checks the range. */
function quotasOf({ options }: ClientCall): Readonly<Record<string, number>> {
	const given = Object.entries(quotaNames).flatMap(([option, name]) => {
		const value = options[option];
		if (typeof value !== "string") return [];
		if (!/^\d+$/.test(value)) failWithUsage("orgs", orgs);
		return [[name, Number(value)] as const];
	});
	return Object.fromEntries(given);
}
