/** `cairn search`, `cairn memories` and `cairn profile`: the commands that read. */

import { z } from "zod";
import { fail } from "../../../core/errors/fail.ts";
import { defaultContainerTag } from "../../../core/model/container.ts";
import { type ClientCall, type ClientCommand, failWithUsage } from "./client-command.ts";

const percent = (score: number) => `${Math.round(100 * score)} %`.padStart(5);
const limitOption = { limit: { type: "string", value: "N", description: "the most results" } } as const;

/** Passages shown of one document: a long one would fill the screen with what fits the question less and less. `--json` has all. */
const shownPassagesMax = 3;

const placeResponse = z
	.object({ page: z.number(), slide: z.number(), sheet: z.string(), row: z.number(), headings: z.array(z.string()) })
	.partial()
	.nullish();

const documentsResponse = z.object({
	results: z.array(
		z.object({
			...{ documentId: z.string(), title: z.string().nullish(), score: z.number() },
			chunks: z.array(z.object({ content: z.string(), isRelevant: z.boolean(), place: placeResponse })),
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
			...numberField("limit", options),
			...(container === null ? {} : { containerTags: [container] }),
		};
		const response = await api.ask("POST", "/v3/search", request);
		const { results } = documentsResponse.parse(response);
		const lines = results.flatMap(({ documentId, title, score, chunks }) => [
			`${percent(score)}  ${title ?? documentId}`,
			...chunks.slice(0, shownPassagesMax).map(({ content, place }) => `       ${wordsOfPlace(place)}${inOneLine(content)}`),
		]);
		const isAnswered = results.some(({ chunks }) => chunks.some(({ isRelevant }) => isRelevant));
		const shown = isAnswered ? lines : ["nothing seems to answer this; the nearest is", ...lines];
		print(response, lines.length === 0 ? ["nothing was found"] : shown);
		return 0;
	},
};

const memoriesResponse = z.object({ results: z.array(z.object({ memory: z.string().nullish(), chunk: z.string().nullish(), similarity: z.number() })) });
const memoryListResponse = z.object({ memoryEntries: z.array(z.object({ memory: z.string() })) });

export const memories: ClientCommand = {
	usage: "[QUESTION]",
	description: "searches memories; without a question lists those of the container, newest first",
	options: { ...limitOption, threshold: { type: "string", value: "0…1", description: "the lowest score that is shown" } },
	run: async ({ args, options, api, container, print }) => {
		if (args.length === 0) {
			const request = { containerTags: [container ?? defaultContainerTag], ...numberField("limit", options), include: { forgottenMemories: false } };
			const response = await api.ask("POST", "/v4/memories/list", request);
			const current = memoryListResponse.parse(response).memoryEntries;
			print(response, current.length === 0 ? ["nothing is remembered"] : current.map(({ memory }) => inOneLine(memory)));
			return 0;
		}
		const scope = container === null ? {} : { containerTag: container };
		const request = { q: args.join(" "), ...numberField("threshold", options), ...numberField("limit", options), ...scope };
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
		const containerTag = tag ?? container ?? defaultContainerTag;
		const response = await api.ask("POST", "/v4/profile", { containerTag });
		const { static: staticFacts, dynamic } = profileResponse.parse(response).profile;
		print(response, [...staticFacts, ...(staticFacts.length > 0 && dynamic.length > 0 ? [""] : []), ...dynamic].map(inOneLine));
		return 0;
	},
};

/** A field of a request. The server checks its range. @throws ServiceError `COMMAND_INVALID` for what is no number, since JSON would have null for it */
function numberField(name: "limit" | "threshold", options: ClientCall["options"]): object {
	const given = options[name];
	if (given === undefined) return {};
	if (given === "" || Number.isNaN(Number(given))) throw fail("COMMAND_INVALID", `--${name} should be a number, not ${JSON.stringify(given)}`);
	return { [name]: Number(given) };
}

/** `[page 3: Chapter › Section] `, in front of a passage; empty where the source has no places. */
function wordsOfPlace(place: z.output<typeof placeResponse>): string {
	const parts = (["page", "slide", "sheet", "row"] as const).flatMap((kind) => (place?.[kind] === undefined ? [] : [`${kind} ${place[kind]}`]));
	const [where, path] = [parts.join(", "), (place?.headings ?? []).join(" › ")];
	return where === "" && path === "" ? "" : `[${[where, path].filter(Boolean).join(": ")}] `;
}

function inOneLine(text: string): string {
	return text.replaceAll(/\s+/g, " ").trim();
}
