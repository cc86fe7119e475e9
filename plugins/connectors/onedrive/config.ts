/** The configuration of a connection to OneDrive and SharePoint. */

import { type FolderConfig, folderConfig } from "../folder-config.ts";

export const provider = "onedrive";

/** Libraries of sites are folders too. */
export type OneDriveConfig = FolderConfig;

/** `drive`, or `drive/item`. Ids have letters, digits and `! - _ .`, such as `b!t18F8ybsHUq1z3LTz8xvZqP8` and `ABCDEF0123456789!104`. */
export const idPattern = /^[\w!.-]{6,120}(\/[\w!.-]{4,75})?$/;

export const oneDriveConfig = folderConfig(provider, { pattern: idPattern, separators: /[,\s]+/, advice: "the ids that GET …/resources lists" }, {});

export interface Chosen {
	readonly drive: string;
	/** The folders in it; null for all of the drive. */
	readonly folders: ReadonlySet<string> | null;
}

/** What is followed, by drive: a drive has one feed, however many of its folders are chosen. */
export function chosenDrives(folders: readonly string[]): readonly Chosen[] {
	const drives = new Map<string, Set<string> | null>();
	for (const id of folders) {
		const [drive = "", folder] = id.split("/");
		const chosen = drives.get(drive);
		if (folder === undefined) drives.set(drive, null);
		else if (chosen !== null) drives.set(drive, (chosen ?? new Set()).add(folder));
	}
	return [...drives].map(([drive, folders]) => ({ drive, folders }));
}
