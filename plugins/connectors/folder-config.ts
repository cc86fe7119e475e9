/** The configuration of a connection to an account with folders, of which some may be chosen, and its validation. */

import type { Connector, ConnectorConfig } from "cairn-memory";
import { z } from "zod";
import { configureWith, readConfig } from "./read-config.ts";

/** It is a type alias because TypeScript does not assign an interface to a JSON type. */
export type FolderConfig = {
	readonly syncScope: "full" | "selected";
	/** With folders nothing else is read. */
	readonly folders: string[];
	readonly documentsMax: number;
};

export interface FolderIds {
	readonly pattern: RegExp;
	/** What parts them in a text. */
	readonly separators: RegExp;
	/** Where a person finds them; the end of a sentence. */
	readonly advice: string;
}

const foldersMax = 200;
const scopeAdvice = "it should be full, for all that the account sees, or selected, for folders that are chosen later";

/** @param more keys of the provider's own */
export function folderConfig<More extends z.ZodRawShape>(provider: string, ids: FolderIds, more: More) {
	type Config = FolderConfig & z.infer<z.ZodObject<More>>;
	const advice = `it should have folders, separated by commas, at most ${foldersMax}: ${ids.advice}`;
	const keys = {
		syncScope: z.enum(["full", "selected"], { error: scopeAdvice }).optional(),
		folders: z
			.union([z.string(), z.array(z.string())], { error: advice })
			.transform((value) => [...new Set((typeof value === "string" ? value.split(ids.separators) : value).map((id) => id.trim()).filter((id) => id !== ""))])
			.refine((all) => all.length <= foldersMax && all.every((id) => ids.pattern.test(id)), { error: advice })
			.default([]),
		...more,
	};
	const metadataSchema = z.object(keys);
	const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });

	function complete(given: unknown): Config {
		const { syncScope, ...rest } = given as Omit<Config, "syncScope"> & { readonly syncScope?: Config["syncScope"] };
		return { syncScope: rest.folders.length > 0 ? "selected" : (syncScope ?? "full"), ...rest } as Config;
	}

	const read = (config: ConnectorConfig): Config => complete(readConfig(provider, configSchema, config));
	return {
		configure: (metadata: Readonly<Record<string, unknown>>, documentsMax: number): Config =>
			complete(configureWith(provider, metadataSchema, metadata, documentsMax)),
		read,
		choose: ((config, chosen) =>
			read({ ...config, syncScope: "selected", folders: chosen.map(({ id }) => (typeof id === "string" ? id : "?")) })) as NonNullable<
			Connector["resources"]
		>["choose"],
	};
}
