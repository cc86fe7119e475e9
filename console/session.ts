/** Where the key of the person is kept: in this tab, or, if asked for, in this browser until they sign out. */

const name = "cairn-key";

export function keptKey(): string | null {
	return sessionStorage.getItem(name) ?? localStorage.getItem(name);
}

export function keepKey(key: string, isLasting: boolean): void {
	dropKey();
	(isLasting ? localStorage : sessionStorage).setItem(name, key);
}

export function dropKey(): void {
	sessionStorage.removeItem(name);
	localStorage.removeItem(name);
}
