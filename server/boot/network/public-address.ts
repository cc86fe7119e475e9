/** Decides whether an IP address is on the public internet, and not on a private network. */

import ipaddr from "ipaddr.js";

/** The only range of global unicast addresses (RFC 4291, IANA); deprecated forms such as `::7f00:1` are outside. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** Azure's host agent has this public address, and returns secrets. */
const refusedAddresses = new Set(["168.63.129.16"]);

/**
 * Addresses that embed another one (mapped, NAT64, 6to4, Teredo) are always refused, because a network may route to the inner
 * address. So are addresses with a zone (`fe80::1%eth0`), which are link-local.
 */
export function isPublicAddress(text: string): boolean {
	if (!ipaddr.isValid(text) || text.includes("%") || refusedAddresses.has(text)) return false;
	const address = ipaddr.parse(text);
	if (address.range() !== "unicast") return false;
	return address.kind() === "ipv4" || address.match(globalUnicast);
}
