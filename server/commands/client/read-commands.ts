/** `cairn search`, `cairn memories` and `cairn profile`: the commands that read. */

import { z } from "zod";
import { type ClientCommand, failWithUsage } from "./client-command.ts";

const percent = (score: number) => `${Math.round(100 * score)} %`.padStart(5);
const limitOption = { limit: { type: "string", value: "N", description: "the most results" } } as const;

const documentsResponse = z.object({
	results: z.array(
		z.object({
			...{ documentId: z.string(), title: z.string().nullish(), score: z.number() },
			chunks: z.array(z.object({ content: z.string() })),
		}),
	),
});

export const search: ClientCommand = {
	usage: "QUESTION",
	description: "searches documents",
	options: limitOption,
	run: async ({ args, options, api, container, print }) => {
		if (args.length === 0) failWithUsage("search", search);
		const request = {
			q: args.join(" "),
			onlyMatchingChunks: true,
			...limitField(options["limit"]),
			...(container === null ? {} : { containerTags: [container] }),
		};
		const response = await api.ask("POST", "/v3/search", request);
		const { results } = documentsResponse.parse(response);
		const lines = results.flatMap(({ documentId, title, score, chunks }) => [
			`${percent(score)}  ${title ?? documentId}`,
			...chunks.map(({ content }) => `       ${inOneLine(content)}`),
		]);
		print(response, lines.length === 0 ? ["nothing was found"] : lines);
		return 0;
	},
};

const memoriesResponse = z.object({ results: z.array(z.object({ memory: z.string().nullish(), chunk: z.string().nullish(), similarity: z.number() })) });
const memoryListResponse = z.object({ memoryEntries: z.array(z.object({ memory: z.string(), isForgotten: z.boolean() })) });

export const memories: ClientCommand = {
	usage: "[QUESTION]",
	description: "searches memories; without a question lists those of a container, newest first",
	options: { ...limitOption, threshold: { type: "string", value: "0…1", description: "the lowest score that is shown" } },
	run: async ({ args, options, api, container, print }) => {
		if (args.length === 0) {
			if (container === null) failWithUsage("memories", { usage: "QUESTION, or with --container TAG" });
			const response = await api.ask("POST", "/v4/memories/list", { containerTags: [container], ...limitField(options["limit"]) });
			const current = memoryListResponse.parse(response).memoryEntries.filter(({ isForgotten }) => !isForgotten);
			print(response, current.length === 0 ? ["nothing is remembered"] : current.map(({ memory }) => memory));
			return 0;
		}
		const threshold = options["threshold"] === undefined ? {} : { threshold: Number(options["threshold"]) };
		const request = { q: args.join(" "), ...threshold, ...limitField(options["limit"]), ...(container === null ? {} : { containerTag: container }) };
		const answer = await api.ask("POST", "/v4/search", request);
		const lines = memoriesResponse.parse(answer).results.map(({ memory, chunk, similarity }) => `${percent(similarity)}  ${inOneLine(memory ?? chunk ?? "")}`);
		print(answer, lines.length === 0 ? ["nothing was found"] : lines);
		return 0;
	},
};

const profileResponse = z.object({ profile: z.object({ static: z.array(z.string()), dynamic: z.array(z.string()) }) });

export const profile: ClientCommand = {
	usage: "[TAG]",
	description: "shows what is known about the person or topic of a container",
	options: {},
	run: async ({ args: [tag], api, container, print }) => {
		const containerTag = tag ?? container;
		if (containerTag === null) failWithUsage("profile", profile);
		const response = await api.ask("POST", "/v4/profile", { containerTag });
		const { static: staticFacts, dynamic } = profileResponse.parse(response).profile;
		print(response, [...staticFacts, ...(staticFacts.length > 0 && dynamic.length > 0 ? [""] : []), ...dynamic]);
		return 0;
	},
};

/** The `limit` field of a request. An invalid number is sent too, and the server rejects it. */
function limitField(limitOption: string | boolean | undefined): object {
	return limitOption === undefined ? {} : { limit: Number(limitOption) };
}

function inOneLine(text: string): string {
	return text.replaceAll(/\s+/g, " ").trim();
}
