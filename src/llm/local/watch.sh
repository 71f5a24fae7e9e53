# Runs a server for as long as whoever started it lives: the standard input is a pipe that
# nobody writes to, and that ends however they end. $@ is the server.
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
{ cat <&3; kill -9 $server; } >/dev/null 2>&1 &
exec 3<&-
wait $server
