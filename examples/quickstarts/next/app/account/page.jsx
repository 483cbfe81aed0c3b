import { redirect } from 'next/navigation';
import { auth, logOutAddress, signOut } from '../../auth.js';

/** A page for customers only. */
export default async function Account() {
  const session = await auth();
  if (!session) redirect('/');
  const logOut = async () => {
    'use server';
    await signOut({ redirect: false });
    redirect(logOutAddress);
  };
  return (
    <main>
      <h1>Account</h1>
      <pre>{JSON.stringify(session.user, null, 2)}</pre>
      <form action={logOut}>
        <button type="submit">Log out</button>
      </form>
    </main>
  );
}
