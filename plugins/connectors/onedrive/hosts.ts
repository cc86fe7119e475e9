/** From which hosts files of OneDrive and SharePoint are downloaded. A download address carries its permission and needs no token. */

/**
 * Microsoft lists them at https://learn.microsoft.com/microsoft-365/enterprise/urls-and-ip-address-ranges and
 * https://learn.microsoft.com/sharepoint/required-urls-and-ports; files of personal accounts lie on 1drv.com and microsoftpersonalcontent.com.
 */
const downloadDomains = ["sharepoint.com", "svc.ms", "1drv.com", "onedrive.com", "livefilestore.com", "microsoftpersonalcontent.com", "storage.live.com"];

/** @param endpoint the origin of a service in Microsoft's place; null for Microsoft */
export function isDownloadAddress(address: string, endpoint: string | null): boolean {
	const url = URL.parse(address);
	if (url === null || url.username !== "" || url.password !== "") return false;
	if (endpoint !== null) return url.origin === new URL(endpoint).origin;
	return url.protocol === "https:" && url.port === "" && downloadDomains.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`));
}
