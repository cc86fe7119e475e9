/** The configuration of a connection to Dropbox. */

import { z } from "zod";
import { folderConfig } from "../folder-config.ts";

export const provider = "dropbox";

export const dropboxConfig = folderConfig(
	provider,
	{
		pattern: /^(id:[\w-]{4,128}|\/[^/,][^,]{0,1000})$/,
		separators: /[,\n]/,
		advice: "the ids that GET …/resources lists, or paths such as /Homework",
	},
	{
		/** The whole space of the team instead of the folder of its member. */
		teamSpace: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")], { error: "it should be true or false" }).default(false),
	},
);

export type DropboxConfig = ReturnType<typeof dropboxConfig.read>;
