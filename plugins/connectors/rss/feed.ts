/** A feed as it was read, whatever its format. */

export interface Feed {
	readonly title: string | null;
	/** In the order of the feed, each id once. */
	readonly entries: readonly FeedEntry[];
	/** The ids of entries that the feed says were deleted, RFC 6721. */
	readonly deleted: readonly string[];
	/** The URL of the page with older entries, RFC 5005; null on the last page. */
	readonly next: string | null;
}

export interface FeedEntry {
	/** Unique in the feed and permanent. */
	readonly id: string;
	readonly title: string | null;
	/** The page of the entry. */
	readonly link: string | null;
	/** As a fragment of HTML. */
	readonly html: string;
	/** Names, separated by commas. */
	readonly author: string | null;
	readonly categories: readonly string[];
	/** ISO 8601. */
	readonly published: string | null;
	readonly updated: string | null;
}
