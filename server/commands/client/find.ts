/** `cairn search`, `cairn memories` and `cairn profile`. */

import { z } from "zod";
import { type ClientCommand, wronglyCalled } from "./client-command.ts";

const percent = (score: number) => `${Math.round(100 * score)} %`.padStart(5);
const limit = { limit: { type: "string", value: "N", meaning: "how many at most" } } as const;

const documents = z.object({
	results: z.array(
		z.object({
			...{ documentId: z.string(), title: z.string().nullish(), score: z.number() },
			chunks: z.array(z.object({ content: z.string() })),
		}),
	),
});

export const search: ClientCommand = {
	words: "QUESTION",
	meaning: "searches documents",
	options: limit,
	run: async ({ words, options, api, container, print }) => {
		if (words.length === 0) wronglyCalled("search", search);
		const wanted = { q: words.join(" "), onlyMatchingChunks: true, ...count(options["limit"]), ...(container === null ? {} : { containerTags: [container] }) };
		const answer = await api.ask("POST", "/v3/search", wanted);
		const { results } = documents.parse(answer);
		const lines = results.flatMap(({ documentId, title, score, chunks }) => [
			`${percent(score)}  ${title ?? documentId}`,
			...chunks.map(({ content }) => `       ${flat(content)}`),
		]);
		print(answer, lines.length === 0 ? ["nothing was found"] : lines);
		return 0;
	},
};

const found = z.object({ results: z.array(z.object({ memory: z.string().nullish(), chunk: z.string().nullish(), similarity: z.number() })) });
const listed = z.object({ memoryEntries: z.array(z.object({ memory: z.string(), isForgotten: z.boolean() })) });

export const memories: ClientCommand = {
	words: "[QUESTION]",
	meaning: "searches memories; without a question lists those of a container, newest first",
	options: { ...limit, threshold: { type: "string", value: "0…1", meaning: "the least score that is shown" } },
	run: async ({ words, options, api, container, print }) => {
		if (words.length === 0) {
			if (container === null) wronglyCalled("memories", { words: "QUESTION, or with --container TAG" });
			const answer = await api.ask("POST", "/v4/memories/list", { containerTags: [container], ...count(options["limit"]) });
			const current = listed.parse(answer).memoryEntries.filter(({ isForgotten }) => !isForgotten);
			print(answer, current.length === 0 ? ["nothing is remembered"] : current.map(({ memory }) => memory));
			return 0;
		}
		const threshold = options["threshold"] === undefined ? {} : { threshold: Number(options["threshold"]) };
		const wanted = { q: words.join(" "), ...threshold, ...count(options["limit"]), ...(container === null ? {} : { containerTag: container }) };
		const answer = await api.ask("POST", "/v4/search", wanted);
		const lines = found.parse(answer).results.map(({ memory, chunk, similarity }) => `${percent(similarity)}  ${flat(memory ?? chunk ?? "")}`);
		print(answer, lines.length === 0 ? ["nothing was found"] : lines);
		return 0;
	},
};

const known = z.object({ profile: z.object({ static: z.array(z.string()), dynamic: z.array(z.string()) }) });

export const profile: ClientCommand = {
	words: "[TAG]",
	meaning: "reads what is known about whom or what a container is about",
	options: {},
	run: async ({ words: [tag], api, container, print }) => {
		const containerTag = tag ?? container;
		if (containerTag === null) wronglyCalled("profile", profile);
		const answer = await api.ask("POST", "/v4/profile", { containerTag });
		const { static: lasting, dynamic } = known.parse(answer).profile;
		print(answer, [...lasting, ...(lasting.length > 0 && dynamic.length > 0 ? [""] : []), ...dynamic]);
		return 0;
	},
};

/** An invalid number is sent as it is, for the server to refuse. */
function count(limit: string | boolean | undefined): object {
	return limit === undefined ? {} : { limit: Number(limit) };
}

function flat(text: string): string {
	return text.replaceAll(/\s+/g, " ").trim();
}
