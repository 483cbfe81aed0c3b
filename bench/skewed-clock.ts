// A clock of this process that can be moved, as that of a machine is that nobody keeps right: whoever asks for the time gets
// the wrong one, the service as well as its libraries. What counts on from a start (performance.now, timers) stays right.
let skewMilliseconds = 0;

export function installClock(): void {
  const MachineDate = Date;
  const now = () => MachineDate.now() + skewMilliseconds;
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, input, newTarget) =>
      Reflect.construct(target, input.length === 0 ? [now()] : input, newTarget),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}

export function skewClock(milliseconds: number): void {
  skewMilliseconds = milliseconds;
}
