/** The configuration of a watched folder, and its validation. */

import { isAbsolute, normalize } from "node:path";
import type { ConnectorConfig } from "cairn-memory";
import { z } from "zod";
import { patterns } from "../path-filter.ts";
import { configureWith, readConfig } from "../read-config.ts";

export const provider = "folder";

const pathAdvice = "it is required: the absolute path of a folder on the server's machine";
const pathCharactersMax = 1_000;

const keys = {
	path: z
		.string({ error: pathAdvice })
		.refine((path) => isAbsolute(path) && path.length <= pathCharactersMax && !path.includes("\0"), { error: pathAdvice })
		.transform((path) => normalize(path).replace(/(.)[/\\]+$/, "$1")),
	include: patterns,
	exclude: patterns,
};
const metadataSchema = z.object(keys);
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });
export type FolderConfig = z.infer<typeof configSchema>;

export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number): FolderConfig {
	return configureWith(provider, metadataSchema, metadata, documentsMax);
}

export function readFolderConfig(config: ConnectorConfig): FolderConfig {
	return readConfig(provider, configSchema, config);
}
