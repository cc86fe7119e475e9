/** The configuration of a Google Drive connection. */

import { type FolderConfig, folderConfig } from "../folder-config.ts";

export const provider = "google-drive";

/** Shared drives are folders too. */
export type DriveConfig = FolderConfig;

export const driveConfig = folderConfig(
	provider,
	{ pattern: /^[\w-]{8,128}$/, separators: /[,\s]+/, advice: "their ids are what follows /folders/ in the address of one" },
	{},
);
