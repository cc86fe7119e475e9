/** Whether an IP address is on the public internet, and not in a network around this machine. */

import ipaddr from "ipaddr.js";

/** Global unicast is handed out from here alone (RFC 4291, IANA); old and odd forms such as `::7f00:1` lie outside. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** Azure's host agent answers on a public address, and hands out secrets there. */
const publicButNot = new Set(["168.63.129.16"]);

/**
 * Addresses that embed another one (mapped, NAT64, 6to4, Teredo) are always refused: a network may deliver to the inner address.
 * So are zones (`fe80::1%eth0`), which only exist on the link.
 */
export function isPublicAddress(text: string): boolean {
	if (!ipaddr.isValid(text) || text.includes("%") || publicButNot.has(text)) return false;
	const address = ipaddr.parse(text);
	if (address.range() !== "unicast") return false;
	return address.kind() === "ipv4" || address.match(globalUnicast);
}
