/** The commands that the caller's role allows. The server decides; this only keeps pages from offering more. */

const ROLES = ['viewer', 'operator', 'admin'];

/** The least role of each command, as openapi.yaml has it in x-role. */
const NEEDED = {
  text: 'operator',
  start: 'operator',
  stop: 'operator',
  restart: 'operator',
  rollout: 'operator',
  destroy: 'operator',
  machines: 'admin',
  drain: 'admin',
  rebalance: 'admin',
};

/** @param who the answer of `GET /whoami`; {} if it is not known */
export function accessOf(who) {
  return {
    name: who.name ?? who.subject ?? '',
    role: who.role ?? '',
    /** Why an action is not offered; empty if it is. */
    refusal(action) {
      if (!who.role) return '';
      const needed = NEEDED[action];
      return ROLES.indexOf(who.role) >= ROLES.indexOf(needed)
        ? ''
        : `This takes the role ${needed}; you have the role ${who.role}.`;
    },
  };
}
