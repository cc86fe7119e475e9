/** Irrevocably blocks network access and starting programs for a Linux process, by a filter in the kernel. */

import { dlopen, ptr } from "bun:ffi";

/**
 * A seccomp filter returns EACCES for `socket`, `execve`, `execveat`, `ptrace`, `process_vm_readv`, `process_vm_writev` and
 * `io_uring_setup`. Open pipes and sockets, such as the one to the parent, still work. Files can still be read, because engines are
 * imported lazily. The numbers are from the kernel's `unistd_64.h` and `asm-generic/unistd.h`.
 */
const machines = {
	x64: { audit: 0xc000003e, seccomp: 317, refused: [41, 59, 322, 101, 310, 311, 425] },
	arm64: { audit: 0xc00000b7, seccomp: 277, refused: [198, 221, 281, 117, 270, 271, 425] },
} as const;

const loadWord = 0x20; // BPF_LD | BPF_W | BPF_ABS
const jumpIfEqual = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const jumpIfAtLeast = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const returnAction = 0x06; // BPF_RET | BPF_K
const allow = 0x7fff0000; // SECCOMP_RET_ALLOW
const refuse = 0x00050000 | 13; // SECCOMP_RET_ERRNO | EACCES
const numberOffset = 0; // of seccomp_data.nr
const machineOffset = 4; // of seccomp_data.arch
const firstForeignNumber = 0x40000000; // x32 has the same calls under other numbers

const noNewPrivileges = 38; // PR_SET_NO_NEW_PRIVS: without it only root may set a filter
const setModeFilter = 1n;
const allThreads = 1n; // SECCOMP_FILTER_FLAG_TSYNC

/** Takes about 1 ms. @returns whether the kernel has installed the filter */
export function sealSystemCalls(): boolean {
	const machine = process.platform === "linux" && (process.arch === "x64" || process.arch === "arm64") ? machines[process.arch] : null;
	if (machine === null) return false;
	try {
		const { prctl, syscall } = openLibrary(process.arch).symbols;
		const filter = assemble(machine.audit, machine.refused);
		const program = new BigUint64Array([BigInt(filter.length / 8), BigInt(ptr(filter))]); // struct sock_fprog
		if (prctl(noNewPrivileges, 1n, 0n, 0n, 0n) !== 0) return false;
		return syscall(BigInt(machine.seccomp), setModeFilter, allThreads, ptr(program)) === 0n;
	} catch {
		return false; // no C library by that name, or a kernel without seccomp: then only `disableSystemApis` protects
	}
}

function openLibrary(arch: string) {
	const names = ["libc.so.6", `libc.musl-${arch === "x64" ? "x86_64" : "aarch64"}.so.1`];
	const functions = {
		prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
		syscall: { args: ["i64", "i64", "i64", "ptr"], returns: "i64" },
	} as const;
	const [glibc, musl] = names.map((name) => () => dlopen(name, functions));
	if (glibc === undefined || musl === undefined) throw new Error("no library is named");
	try {
		return glibc();
	} catch {
		return musl();
	}
}

function assemble(audit: number, refused: readonly number[]): Uint8Array {
	const steps: (readonly [code: number, yes: number, no: number, value: number])[] = [
		[loadWord, 0, 0, machineOffset],
		[jumpIfEqual, 1, 0, audit],
		[returnAction, 0, 0, refuse],
		[loadWord, 0, 0, numberOffset],
		[jumpIfAtLeast, refused.length + 1, 0, firstForeignNumber],
		...refused.map((number, index) => [jumpIfEqual, refused.length - index, 0, number] as const),
		[returnAction, 0, 0, allow],
		[returnAction, 0, 0, refuse],
	];
	const filter = new DataView(new ArrayBuffer(steps.length * 8));
	for (const [index, [code, yes, no, value]] of steps.entries()) {
		filter.setUint16(index * 8, code, true);
		filter.setUint8(index * 8 + 2, yes);
		filter.setUint8(index * 8 + 3, no);
		filter.setUint32(index * 8 + 4, value, true);
	}
	return new Uint8Array(filter.buffer);
}
